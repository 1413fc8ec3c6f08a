package dev.refrain.trials.simulation.law;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Protocol §4: leases are renewed while the work runs, so that slow work is not taken over or sent to attention. */
final class LeaseRenewalRule implements InvariantRule {

    /** Margin for the heartbeat, which runs twice a second. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private record Underway(SimulatedRun run, ObservedProcess runner, Instant since) {}

    private final Map<String, Underway> underway = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Began began -> {
                if (began.run().attempt().mode() == ClientAttempt.Mode.LEASED) {
                    underway.put(name(began.run()), new Underway(began.run(), began.runner(), began.at()));
                }
            }
            case SimulationEvent.Ended ended -> underway.remove(name(ended.run()));
            case SimulationEvent.Step step -> {
                if (step.changed() && !(step.deed() instanceof StoreAction.Wrote)) {
                    step.before()
                            .filter(seen -> seen.record().state() == RecordState.IN_PROGRESS)
                            .map(seen -> underway.get(name(seen.record().claim())))
                            .filter(work -> isAlive(work, step.at()))
                            .ifPresent(work -> broken.accept(TraceText.brief(step.deed()) + " took the claim of "
                                    + work.run() + ", which still runs, undisturbed, since "
                                    + TraceText.clock(work.since())));
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

    private static String name(SimulatedRun run) {
        return run.id() + "/" + run.fence();
    }

    private static String name(ClaimRef claim) {
        return claim.id() + "/" + claim.fence();
    }
}
