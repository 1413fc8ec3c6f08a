package dev.refrain.trials.simulation.world;

import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeRule;
import dev.refrain.trials.simulation.law.ClientAttempt;
import dev.refrain.trials.simulation.law.ClientAttempt.Mode;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.law.SimulationEvent.Acted;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Operation as every process offers it. */
record SimulatedOperation(
        String name,
        List<Mode> modes,
        LeaseExpiryPolicy takeOver,
        Duration lease,
        Duration maxRun,
        Duration patience,
        Optional<Duration> waiting,
        Duration retention,
        OutcomeRule outcomeRule,
        Optional<SimulatedDownstream.DownstreamTraits> bank,
        boolean triesAgain,
        boolean failsOpen) {

    private static final Set<Integer> TRY_AGAIN = Set.of(408, 409, 425, 429);
    private static final OutcomeRule KEEPS_ANSWERS =
            new OutcomeRule("answers", answer -> !answer.isFailure() && !TRY_AGAIN.contains(answer.status()), false);
    private static final OutcomeRule KEEPS_FAILURES =
            new OutcomeRule("failures", answer -> answer.status() != 429, true);

    /** Modes of operations: most are leased; several modes under one name meet under one key. */
    private static final List<List<Mode>> MODES = List.of(
            List.of(Mode.LEASED),
            List.of(Mode.LEASED),
            List.of(Mode.LEASED),
            List.of(Mode.TRANSACTIONAL),
            List.of(Mode.WITHIN, Mode.TRANSACTIONAL),
            List.of(Mode.LEASED, Mode.TRANSACTIONAL, Mode.WITHIN));

    static SimulatedOperation by(SeededRandom chance, String name) {
        var lease = chance.between(Duration.ofSeconds(4), Duration.ofSeconds(10));
        var modes = chance.pick(MODES);
        return new SimulatedOperation(
                name,
                modes,
                modes.contains(Mode.TRANSACTIONAL)
                        ? LeaseExpiryPolicy.RESUME
                        : chance.pick(List.of(LeaseExpiryPolicy.values())),
                lease,
                lease.plus(chance.upTo(Duration.ofSeconds(15))),
                chance.between(Duration.ofMillis(500), Duration.ofSeconds(3)),
                chance.oneIn(2)
                        ? Optional.empty()
                        : Optional.of(chance.between(Duration.ofMillis(100), Duration.ofSeconds(10))),
                chance.between(Duration.ofSeconds(15), Duration.ofMinutes(5)),
                chance.oneIn(4) ? KEEPS_FAILURES : KEEPS_ANSWERS,
                Optional.empty(),
                false,
                chance.oneIn(3));
    }

    /** Returns a flow; settings that an application cannot choose are the product's own. */
    static SimulatedOperation flow(SeededRandom chance, String name) {
        var within = chance.between(Duration.ofSeconds(2), Duration.ofSeconds(4));
        var offer = chance.pick(List.of(SimulatedGuarantee.values()));
        var bank = new SimulatedDownstream.DownstreamTraits(
                "bank",
                offer,
                Acted.By.FLOW,
                within.plus(chance.between(Duration.ofSeconds(4), Duration.ofSeconds(25))),
                within);
        return new SimulatedOperation(
                name,
                List.of(Mode.FLOW),
                LeaseExpiryPolicy.RESUME,
                chance.between(within.multipliedBy(2), Duration.ofSeconds(12)),
                Operation.DEFAULT_MAX_RUN_TIME,
                Duration.ofSeconds(3),
                Optional.empty(),
                chance.between(Duration.ofSeconds(15), Duration.ofMinutes(5)),
                KEEPS_ANSWERS,
                Optional.of(bank),
                offer != SimulatedGuarantee.NOTHING && chance.oneIn(2),
                false);
    }

    Operation<Outcome.Answer> of(Refrain refrain) {
        var operation = refrain.operation(name)
                .lease(lease)
                .maxRunTime(maxRun)
                .storeTimeout(patience)
                .retention(retention)
                .outcomeRule(outcomeRule);
        return waiting.map(operation::waitWhileInFlight).orElse(operation);
    }

    /** Returns the leased operation, which alone can fail open. */
    LeasedOperation<Outcome.Answer> leased(Refrain refrain) {
        return (failsOpen ? of(refrain).failOpen() : of(refrain)).leased(takeOver);
    }

    /** @param given the maximum run time that it is given, by the one that was agreed */
    TransactionalOperation<Outcome.Answer, SimulatedDatabase.Bookings> transactional(
            Refrain refrain, UnaryOperator<Duration> given, SimulatedTransactions transactions) {
        return of(refrain).maxRunTime(given.apply(maxRun)).transactional(transactions);
    }

    ClientAttempt.Terms terms() {
        return new ClientAttempt.Terms(lease, maxRun, retention, outcomeRule);
    }

    /** Returns the longest wait of a call that runs nothing itself, in an undisturbed process. */
    Duration longestWait() {
        return waiting.orElse(Duration.ZERO).plus(patience.multipliedBy(2)).plusSeconds(3);
    }

    /** Returns the longest duration of an undisturbed call: its wait, its work, its store, and a takeover. */
    Duration longestCall() {
        return Duration.ofMinutes(1)
                .plus(waiting.orElse(Duration.ZERO))
                .plus(maxRun.multipliedBy(4))
                .plus(lease.multipliedBy(4))
                .plus(patience.multipliedBy(8));
    }
}
