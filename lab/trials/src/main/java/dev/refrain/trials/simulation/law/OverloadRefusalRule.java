package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.StoreOverloadedException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A call that is refused because the store is overloaded leaves nothing: its work did not run, and no claim is left behind that nobody runs,
 * releases or renews until the sweeper finds it.
 */
final class OverloadRefusalRule implements InvariantRule {

    private record ClaimNumber(RecordId id, long fence) {

        static ClaimNumber of(TimedRecordSnapshot seen) {
            return new ClaimNumber(seen.record().id(), seen.record().fence());
        }
    }

    private record Taken(String process, Instant at) {}

    private final Map<String, ObservedProcess> processes = new HashMap<>();
    private final Map<ClaimNumber, Taken> unused = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Called called -> processes.put(called.attempt().process(), called.runner());
            case SimulationEvent.Began began ->
                unused.remove(new ClaimNumber(began.run().id(), began.run().fence()));
            case SimulationEvent.Answered answered -> {
                if (answered.how() instanceof ObservedEnding.Failed failed
                        && failed.failure() instanceof StoreOverloadedException
                        && answered.run().isPresent()) {
                    broken.accept(answered.attempt() + " was refused as if nothing had run, but there was "
                            + answered.run().get());
                }
            }
            case SimulationEvent.Step step -> step(step, broken);
            default -> {}
        }
    }

    private void step(SimulationEvent.Step step, Consumer<String> broken) {
        switch (step.deed()) {
            case StoreAction.Claimed claimed ->
                step.after()
                        .filter(seen -> step.changed()
                                && seen.record()
                                        .owner()
                                        .equals(claimed.request().nonce()))
                        .ifPresent(seen -> unused.put(ClaimNumber.of(seen), new Taken(step.process(), step.at())));
            case StoreAction.Wrote wrote ->
                unused.remove(new ClaimNumber(
                        wrote.write().claim().id(), wrote.write().claim().fence()));
            case StoreAction.Swept swept ->
                step.before().filter(seen -> step.changed()).ifPresent(seen -> {
                    var taken = unused.remove(ClaimNumber.of(seen));
                    if (taken != null && isHeard(taken, step.at())) {
                        broken.accept(taken.process() + " claimed " + seen + " for nobody");
                    }
                });
            default -> {}
        }
    }

    /** Returns whether its process has heard of the claim, and was not kept from running it. */
    private boolean isHeard(Taken taken, Instant now) {
        var process = processes.get(taken.process());
        return process != null && process.inPeaceFor(Duration.between(taken.at(), now));
    }
}
