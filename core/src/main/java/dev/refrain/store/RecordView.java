package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Record as people see it: everything that the store knows except its contents. Immutable.
 *
 * @param identity empty once erased
 * @param claim its fence counts how often the record was claimed or resolved
 * @param recipe how its fingerprint was made; empty once erased
 * @param subject the person the record is about, if the operation named one
 * @param attention reason and start of attention, if it needs attention
 * @param explanation origin, age, calls that may have been sent, and attempts
 */
public record RecordView(
        Optional<ScopedKey> identity,
        ClaimRef claim,
        RecordState state,
        LeaseExpiryPolicy takeOver,
        Optional<String> recipe,
        Optional<String> subject,
        RecordTimestamps times,
        PayloadSizes sizes,
        Optional<AttentionReason> attention,
        RecordExplanation explanation) {

    /**
     * Times by the store's clock.
     *
     * @param claimed time of the first claim
     * @param leaseUntil end of the lease; only in progress
     * @param expires empty if it never expires
     * @param seen time at which the record was read; compare the others with it
     */
    public record RecordTimestamps(
            Instant claimed,
            Optional<Instant> completed,
            Optional<Instant> leaseUntil,
            Optional<Instant> expires,
            Instant seen) {}

    /**
     * Stored sizes in bytes; empty where nothing is stored.
     *
     * @param keptRequest of the request that is kept for people
     */
    public record PayloadSizes(
            OptionalLong outcome, OptionalLong request, OptionalLong carried, OptionalLong keptRequest) {}

    /** Reason and start of attention. */
    public record AttentionReason(String reason, Instant since) {}

    /** Returns the last committed recovery point, if any. */
    public Optional<RecoveryPoint> recoveryPoint() {
        return explanation.recoveryPoint();
    }

    /** Returns true if the record is in progress and its lease has expired. */
    public boolean leaseOver() {
        return times.leaseUntil().filter(until -> !until.isAfter(times.seen())).isPresent();
    }
}
