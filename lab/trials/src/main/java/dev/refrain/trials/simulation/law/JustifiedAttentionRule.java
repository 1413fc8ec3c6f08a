package dev.refrain.trials.simulation.law;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 3: only unknowable outcomes go to attention. A live process that ran nothing knows its outcome. */
final class JustifiedAttentionRule implements InvariantRule {

    /** Time that a process needs to release a claim whose caller has gone. */
    private static final Duration TO_TIDY = Duration.ofMillis(800);

    private final Set<String> began = new HashSet<>();
    private final Map<String, ObservedProcess> runners = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Called called -> runners.put(called.attempt().process(), called.runner());
            case SimulationEvent.Began run ->
                began.add(run.run().id() + "/" + run.run().fence());
            case SimulationEvent.Step step -> {
                if (step.changed()
                        && step.after().filter(r -> r.isHeldForAttention()).isPresent()) {
                    check(step, step.after().get(), broken);
                }
            }
            default -> {}
        }
    }

    private void check(SimulationEvent.Step step, TimedRecordSnapshot seen, Consumer<String> broken) {
        var claim = seen.record().claim();
        var sinceLease = Duration.between(seen.leaseEnd(), step.at()).plus(TO_TIDY);
        if (!began.contains(claim.id() + "/" + claim.fence())) {
            runners.forEach((process, runner) -> {
                if (runner.made(seen.record().owner()) && runner.inPeaceFor(sinceLease)) {
                    broken.accept(seen + " needs attention, though nothing ran and " + process + " lives in peace");
                }
            });
        }
    }
}
