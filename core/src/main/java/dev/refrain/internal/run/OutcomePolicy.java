package dev.refrain.internal.run;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Optional;

/**
 * What is kept of a run, and for how long.
 *
 * @param retryWindow for how long clients may retry: no outcome is kept for less
 * @param maxBytes an answer larger than this completes the record with its state alone; it never frees the key
 */
public record OutcomePolicy(
        Retention retention, Duration retryWindow, OutcomeRule rule, StoredDetail form, int maxBytes) {

    /** How much of an answer is kept. */
    public enum StoredDetail {
        WHOLE_ANSWER,
        STATE_ONLY
    }

    public OutcomePolicy {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("max-outcome-bytes must not be negative, but is " + maxBytes + ".");
        }
    }

    boolean keeps(Outcome.Answer answer) {
        return rule.keeps(answer);
    }

    /** Whether what the work threw is kept: as the rule says, unless the work itself said otherwise. */
    boolean keepsFailure(RunningClaim claim) {
        return rule.keepsExceptions() && claim.kept() && !claim.saidNothingHappened();
    }

    /** The time that the work asked for, unless clients may retry for longer. */
    Optional<Retention> retention(RunningClaim claim) {
        return claim.retention().filter(asked -> !asked.isShorterThan(retryWindow));
    }
}
