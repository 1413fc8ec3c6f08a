package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;

/** One execution of the work, under one claim. */
public record Run(int number, Attempt attempt, RecordId id, long fence) {

    @Override
    public String toString() {
        return "run " + number + " of " + attempt + " under " + Text.brief(id) + "/" + fence;
    }
}
