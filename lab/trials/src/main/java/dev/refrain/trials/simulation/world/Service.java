package dev.refrain.trials.simulation.world;

import dev.refrain.Leased;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Profile;
import dev.refrain.run.Leasing;
import dev.refrain.store.TakeOver;
import dev.refrain.trials.simulation.law.Attempt;
import dev.refrain.trials.simulation.law.Attempt.Mode;
import dev.refrain.trials.simulation.law.Happening.Acted;
import dev.refrain.trials.simulation.law.Offer;
import dev.refrain.trials.simulation.machine.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An operation as every process offers it. */
record Service(
        String name,
        List<Mode> modes,
        TakeOver takeOver,
        Duration lease,
        Duration maxRun,
        Duration patience,
        Optional<Duration> waiting,
        Duration retention,
        Profile profile,
        Optional<OtherSystem.Nature> bank,
        boolean triesAgain,
        boolean failsOpen) {

    /** Most are leased; where several ways are offered under one name, they meet under one key. */
    private static final List<List<Mode>> MODES = List.of(
            List.of(Mode.LEASED),
            List.of(Mode.LEASED),
            List.of(Mode.LEASED),
            List.of(Mode.TRANSACTIONAL),
            List.of(Mode.WITHIN, Mode.TRANSACTIONAL),
            List.of(Mode.LEASED, Mode.TRANSACTIONAL, Mode.WITHIN));

    static Service by(Chance chance, String name) {
        var lease = chance.between(Duration.ofSeconds(4), Duration.ofSeconds(10));
        var modes = chance.pick(MODES);
        return new Service(
                name,
                modes,
                modes.contains(Mode.TRANSACTIONAL) ? TakeOver.RESUME : chance.pick(List.of(TakeOver.values())),
                lease,
                lease.plus(chance.upTo(Duration.ofSeconds(15))),
                chance.between(Duration.ofMillis(500), Duration.ofSeconds(3)),
                chance.oneIn(2)
                        ? Optional.empty()
                        : Optional.of(chance.between(Duration.ofMillis(100), Duration.ofSeconds(10))),
                chance.between(Duration.ofSeconds(15), Duration.ofMinutes(5)),
                chance.oneIn(4) ? Profile.STRIPE : Profile.DEFAULT,
                Optional.empty(),
                false,
                chance.oneIn(3));
    }

    /** What a flow does not let its application choose is as the product has it. */
    static Service flow(Chance chance, String name) {
        var within = chance.between(Duration.ofSeconds(2), Duration.ofSeconds(4));
        var offer = chance.pick(List.of(Offer.values()));
        var bank = new OtherSystem.Nature(
                "bank",
                offer,
                Acted.By.FLOW,
                within.plus(chance.between(Duration.ofSeconds(4), Duration.ofSeconds(25))),
                within);
        return new Service(
                name,
                List.of(Mode.FLOW),
                TakeOver.RESUME,
                chance.between(within.multipliedBy(2), Duration.ofSeconds(12)),
                Leasing.MAX_RUN,
                Duration.ofSeconds(3),
                Optional.empty(),
                chance.between(Duration.ofSeconds(15), Duration.ofMinutes(5)),
                Profile.DEFAULT,
                Optional.of(bank),
                offer != Offer.NOTHING && chance.oneIn(2),
                false);
    }

    Operation<Outcome.Answer> of(Refrain refrain) {
        var operation = refrain.operation(name)
                .lease(lease)
                .maxRunTime(maxRun)
                .storeTimeout(patience)
                .retention(retention)
                .profile(profile);
        return waiting.map(operation::waitForOutcome).orElse(operation);
    }

    /** Only what is leased can fail open, also where other ways are offered under the same name. */
    Leased<Outcome.Answer> leased(Refrain refrain) {
        return (failsOpen ? of(refrain).failOpen() : of(refrain)).leased(takeOver);
    }

    Attempt.Terms terms() {
        return new Attempt.Terms(lease, maxRun, retention, profile);
    }

    /** What a call may take that runs nothing itself, in a process that nothing disturbs. */
    Duration longestWait() {
        return waiting.orElse(Duration.ZERO).plus(patience.multipliedBy(2)).plusSeconds(3);
    }

    /** What a call may take where nothing disturbs it: its wait, its work, its store, and whoever took it over. */
    Duration longestCall() {
        return Duration.ofMinutes(1)
                .plus(waiting.orElse(Duration.ZERO))
                .plus(maxRun.multipliedBy(4))
                .plus(lease.multipliedBy(4))
                .plus(patience.multipliedBy(8));
    }
}
