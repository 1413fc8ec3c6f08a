package dev.refrain.store;

import dev.refrain.api.TraceId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One claim of a record, from its begin to its end, in moments of the store's clock.
 *
 * @param fence of the claim
 * @param instance the process that claimed; empty for the first claim of a record, and for claims of older versions
 * @param began empty if it was not written down
 * @param ended empty while it runs, and if it was not written down
 * @param endReason why it ended, for people; empty while it runs
 */
public record ClaimAttempt(
        long fence,
        Optional<String> instance,
        Optional<TraceId> traceId,
        Optional<Instant> began,
        Optional<Instant> ended,
        Optional<String> endReason) {

    /** Reason of an attempt whose lease ran out. */
    public static final String LEASE_ENDED = "lease ended";

    /** Reason of an attempt that gave its claim back. */
    public static final String RELEASED = "released";

    /** Reason of an attempt that stored its outcome. */
    public static final String COMPLETED = "completed";

    /** Reason of an attempt after which it was not known whether the work took effect. */
    public static final String OUTCOME_UNKNOWN = "outcome unknown";

    /** Most attempts that a store keeps for one record: the first and the latest. */
    public static final int KEPT = 20;

    /**
     * Returns the same attempt, ended.
     *
     * @param moment null if it is not known
     */
    public ClaimAttempt endedAt(@Nullable Instant moment, String reason) {
        return new ClaimAttempt(fence, instance, traceId, began, Optional.ofNullable(moment), Optional.of(reason));
    }
}
