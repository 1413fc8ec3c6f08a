package dev.refrain.internal.run;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Optional;

/**
 * Rules for storing the outcome of a run. Immutable.
 *
 * @param retryWindow how long clients may retry: the minimum retention of an outcome
 * @param maxBytes the largest stored answer; a larger one completes the record with its state alone and never releases the key
 */
public record OutcomePolicy(
        Retention retention, Duration retryWindow, OutcomeRule rule, StoredDetail form, int maxBytes) {

    /** Amount of an answer that is stored. */
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

    /** Returns true if the work's exception is stored: as the rule says, unless the work itself chose otherwise. */
    boolean keepsFailure(RunningClaim claim) {
        return rule.keepsExceptions() && claim.kept() && !claim.saidNothingHappened();
    }

    /** Returns the retention that the work chose, unless clients may retry for longer. */
    Optional<Retention> retention(RunningClaim claim) {
        return claim.retention().filter(asked -> !asked.isShorterThan(retryWindow));
    }
}
