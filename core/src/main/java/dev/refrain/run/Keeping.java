package dev.refrain.run;

import dev.refrain.outcome.Profile;
import dev.refrain.outcome.Retention;

/**
 * What is kept of a run, and for how long.
 *
 * @param maxBytes an answer larger than this completes the record with its state alone; it never frees the key
 */
public record Keeping(Retention retention, Profile profile, Form form, int maxBytes) {

    /** How much of an answer is kept. */
    public enum Form {
        WHOLE_ANSWER,
        STATE_ONLY
    }

    public Keeping {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("max-outcome-bytes must not be negative, but is " + maxBytes + ".");
        }
    }
}
