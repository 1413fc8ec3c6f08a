package dev.refrain.trials.simulation.law;

import dev.refrain.store.ClaimRef;
import dev.refrain.store.State;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Protocol §4: leases are renewed while the work runs, so work that takes its time is not taken over or given up. */
final class SlowIsNotDead implements Rule {

    /** The heartbeat looks twice a second. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private record Underway(Run run, Runner runner, Instant since) {}

    private final Map<String, Underway> underway = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Began began -> {
                if (began.run().attempt().mode() == Attempt.Mode.LEASED) {
                    underway.put(name(began.run()), new Underway(began.run(), began.runner(), began.at()));
                }
            }
            case Happening.Ended ended -> underway.remove(name(ended.run()));
            case Happening.Step step -> {
                if (step.changed() && !(step.deed() instanceof Deed.Wrote)) {
                    step.before()
                            .filter(seen -> seen.record().state() == State.IN_PROGRESS)
                            .map(seen -> underway.get(name(seen.record().claim())))
                            .filter(work -> isAlive(work, step.at()))
                            .ifPresent(
                                    work -> broken.accept(Text.brief(step.deed()) + " took the claim of " + work.run()
                                            + ", which still runs, undisturbed, since " + Text.clock(work.since())));
                }
            }
            default -> {}
        }
    }

    private static boolean isAlive(Underway work, Instant now) {
        var terms = work.run().attempt().terms();
        var mayRun = terms.maxRun().minus(MARGIN);
        return now.isBefore(work.since().plus(mayRun))
                && work.runner().inPeaceFor(terms.lease().plus(MARGIN));
    }

    private static String name(Run run) {
        return run.id() + "/" + run.fence();
    }

    private static String name(ClaimRef claim) {
        return claim.id() + "/" + claim.fence();
    }
}
