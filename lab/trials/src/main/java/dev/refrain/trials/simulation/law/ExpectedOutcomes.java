package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Expected outcome of each run, by its operation's profile and the work's own steering. */
final class ExpectedOutcomes {

    private final Map<Integer, ObservedEnding.Steering> said = new HashMap<>();

    void hear(SimulationEvent.Ended ended) {
        if (ended.how() instanceof ObservedEnding.Gave gave) {
            said.put(ended.run().number(), gave.steering());
        }
    }

    boolean isToBeKeptLonger(SimulatedRun run) {
        return said.get(run.number()) == ObservedEnding.Steering.KEEP_LONGER;
    }

    /** Returns the outcome that must be stored before the answer is given; empty if the answer is not kept. */
    Optional<Outcome> kept(SimulatedRun run, Outcome.Answer answer) {
        if (run.attempt().mode() == ClientAttempt.Mode.FLOW) {
            return Optional.of(answer);
        }
        var steering = said.getOrDefault(run.number(), ObservedEnding.Steering.NONE);
        boolean wanted = steering != ObservedEnding.Steering.DO_NOT_KEEP
                && run.attempt().terms().outcomeRule().keeps(answer);
        boolean held = run.attempt().takeOver() == LeaseExpiryPolicy.HOLD
                && steering != ObservedEnding.Steering.NOTHING_HAPPENED;
        if (!wanted && !held) {
            // What a transaction did and its caller takes for done is committed, and that it is done with it.
            boolean committed = run.attempt().mode().isOneCommit() && answer.status() < 400;
            return committed ? Optional.of(new Outcome.StateOnly()) : Optional.empty();
        }
        boolean stateOnly =
                steering == ObservedEnding.Steering.KEEP_STATE_ONLY || steering == ObservedEnding.Steering.DO_NOT_KEEP;
        if (!stateOnly) {
            return Optional.of(answer);
        }
        // A transaction takes a failure's writes back, so that its state alone would say that it is done.
        boolean takenBack = run.attempt().mode().isOneCommit() && answer.status() >= 500;
        return takenBack ? Optional.empty() : Optional.of(new Outcome.StateOnly());
    }
}
