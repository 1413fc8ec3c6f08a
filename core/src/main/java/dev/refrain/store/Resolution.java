package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decision on a record in ATTENTION, with actor and reason. Immutable.
 *
 * @param claim the record and fence that were read; a record that has changed since is left alone
 */
public record Resolution(ClaimRef claim, Verdict verdict, String who, String why) {

    public Resolution {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("A resolution is audited. Pass who resolves it and why.");
        }
    }

    /** Verdict of a person, a rule or the reconciler. */
    public sealed interface Verdict {}

    /**
     * The work took effect with this outcome; absent to store the state alone.
     *
     * @param retention replaces the record's, counted from its first claim; absent to keep it
     */
    public record Done(Optional<Payload> outcome, Optional<Retention> retention) implements Verdict {
        /** Keeps the record's retention. */
        public Done(@Nullable Payload outcome) {
            this(Optional.ofNullable(outcome), Optional.empty());
        }
    }

    /**
     * The work may run again: it did not take effect, or repeating it is safe. The announced call of its recovery point was not sent;
     * attempts to complete it without its caller are counted anew.
     */
    public record RunAgain() implements Verdict {}

    /**
     * The work continues at its recovery point as after a crash. Unlike {@link RunAgain} it says nothing about the announced call of that
     * point, which may have been sent; attempts to complete it without its caller are counted anew.
     */
    public record Resume() implements Verdict {}
}
