package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import java.util.Optional;

/**
 * How a record in ATTENTION is settled, by whom and why.
 *
 * @param claim the record and fence that were looked at; a record that moved on meanwhile is not touched
 */
public record Resolution(ClaimRef claim, Verdict verdict, String who, String why) {

    public Resolution {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("A resolution is audited: say who resolves it and why.");
        }
    }

    /** What a person, a rule or the reconciler found out. */
    public sealed interface Verdict {}

    /**
     * It took effect, and this is its outcome (absent to keep the state alone).
     *
     * @param retention replaces the record's, counted from its first claim; absent to leave it
     */
    public record Done(Optional<Payload> outcome, Optional<Retention> retention) implements Verdict {
        /** Kept for as long as the record is. */
        public Done(Optional<Payload> outcome) {
            this(outcome, Optional.empty());
        }
    }

    /**
     * It may run again: it did not take effect, or repeating it is safe. What its recovery point says to have been sent, perhaps, was not
     * ({@link StoredRecord#MAY_HAVE_SENT}); attempts to finish it without its caller are counted anew.
     */
    public record RunAgain() implements Verdict {}
}
