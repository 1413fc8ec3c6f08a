package dev.refrain.trials.simulation.law;

import dev.refrain.outcome.Outcome;
import dev.refrain.store.TakeOver;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What is to become of each run's answer, by its operation's profile and by what the work itself said. */
final class Steered {

    private final Map<Integer, Ending.Steering> said = new HashMap<>();

    void hear(Happening.Ended ended) {
        if (ended.how() instanceof Ending.Gave gave) {
            said.put(ended.run().number(), gave.steering());
        }
    }

    boolean isToBeKeptLonger(Run run) {
        return said.get(run.number()) == Ending.Steering.KEEP_LONGER;
    }

    /** The outcome that must be stored before the answer is given; empty if the answer is not to be kept. */
    Optional<Outcome> kept(Run run, Outcome.Answer answer) {
        if (run.attempt().mode() == Attempt.Mode.FLOW) {
            return Optional.of(answer);
        }
        var steering = said.getOrDefault(run.number(), Ending.Steering.NONE);
        boolean wanted = steering != Ending.Steering.DO_NOT_KEEP
                && run.attempt().terms().profile().keeps().test(answer);
        boolean held = run.attempt().takeOver() == TakeOver.HOLD && steering != Ending.Steering.NOTHING_HAPPENED;
        if (!wanted && !held) {
            // What a transaction did and its caller takes for done is committed, and that it is done with it.
            boolean committed = run.attempt().mode().isOneCommit() && answer.status() < 400;
            return committed ? Optional.of(new Outcome.StateOnly()) : Optional.empty();
        }
        if (steering != Ending.Steering.KEEP_STATE_ONLY) {
            return Optional.of(answer);
        }
        // A transaction takes a failure's writes back, so that its state alone would say that it is done.
        boolean takenBack = run.attempt().mode().isOneCommit() && answer.status() >= 500;
        return takenBack ? Optional.empty() : Optional.of(new Outcome.StateOnly());
    }
}
