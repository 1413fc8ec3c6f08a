package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;

/** Run of the work under one claim. */
public record SimulatedRun(int number, ClientAttempt attempt, RecordId id, long fence) {

    /** Returns whether the run has no record, in which case its id is made from the key alone. */
    public boolean unprotected() {
        return id.value().equals(attempt.identity().hash().asUuid());
    }

    @Override
    public String toString() {
        return "run " + number + " of " + attempt + " under " + TraceText.brief(id) + "/" + fence;
    }
}
