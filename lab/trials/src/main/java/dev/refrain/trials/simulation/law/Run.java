package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;

/** One execution of the work, under one claim. */
public record Run(int number, Attempt attempt, RecordId id, long fence) {

    /** Whether there is no record: then its id is made from the key alone. */
    public boolean unprotected() {
        return id.value().equals(attempt.identity().hash().asUuid());
    }

    @Override
    public String toString() {
        return "run " + number + " of " + attempt + " under " + Text.brief(id) + "/" + fence;
    }
}
