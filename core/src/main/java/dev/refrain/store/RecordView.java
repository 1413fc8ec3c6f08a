package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A record as people see it: everything that the store knows, but for what it says.
 *
 * @param identity empty once it was erased
 * @param claim its fence is also how often it was claimed or resolved
 * @param recipe how its fingerprint was made; empty once it was erased
 * @param recoveryPoint name of the last committed phase, if it has any
 * @param subject the person whom it concerns, where the operation named one
 * @param attention why and since when it waits for a decision, if it does
 */
public record RecordView(
        Optional<ScopedKey> identity,
        ClaimRef claim,
        RecordState state,
        LeaseExpiryPolicy takeOver,
        Optional<String> recipe,
        Optional<String> recoveryPoint,
        Optional<String> subject,
        Timestamps times,
        PayloadSizes sizes,
        Optional<AttentionReason> attention) {

    /**
     * Moments of the store's clock.
     *
     * @param claimed when it was first claimed
     * @param leaseUntil only in progress
     * @param expires empty for ever
     * @param seen when it was looked at: what the others are to be compared with
     */
    public record Timestamps(
            Instant claimed,
            Optional<Instant> completed,
            Optional<Instant> leaseUntil,
            Optional<Instant> expires,
            Instant seen) {}

    /** Bytes as they are stored; empty where nothing is. */
    public record PayloadSizes(OptionalLong outcome, OptionalLong request, OptionalLong carried) {}

    /** What it waits for a decision about. */
    public record AttentionReason(String reason, Instant since) {}

    /** Whether it is in progress and its runner has not been heard of in time. */
    public boolean leaseOver() {
        return times.leaseUntil().filter(until -> !until.isAfter(times.seen())).isPresent();
    }
}
