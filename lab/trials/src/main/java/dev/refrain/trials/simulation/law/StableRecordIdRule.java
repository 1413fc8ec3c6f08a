package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Rule: a record keeps its id until it expires; a release, a takeover or the reaper does not replace it. */
final class StableRecordIdRule implements InvariantRule {

    private record Life(RecordId id, Instant leastEnd) {}

    private final Map<ScopedKey, Life> lives = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        // What a transaction makes is not there before it commits, and may never be.
        if (happening instanceof SimulationEvent.Began began
                && began.run().attempt().mode() == ClientAttempt.Mode.LEASED) {
            var run = began.run();
            var known = lives.get(run.attempt().identity());
            if (known == null || !known.id().equals(run.id())) {
                if (known != null && began.at().isBefore(known.leastEnd())) {
                    broken.accept(
                            run + " began at " + TraceText.clock(began.at()) + ", though " + TraceText.brief(known.id())
                                    + " lives until " + TraceText.clock(known.leastEnd()) + " at least");
                }
                // Retention is counted from the first claim; who did not make that cannot say when it was.
                var firstClaim = run.fence() == 1
                        ? run.attempt().begun()
                        : Instant.EPOCH.minus(run.attempt().terms().retention());
                lives.put(
                        run.attempt().identity(),
                        new Life(run.id(), firstClaim.plus(run.attempt().terms().retention())));
            }
        }
    }
}
