package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Unfinished record with a stored request.
 *
 * @param explanation origin, age, calls that may have been sent, and attempts
 * @param attempts number of attempts to complete it without its caller
 */
public record UnfinishedRecord(
        ScopedKey identity, RecordId id, RecordState state, RecordExplanation explanation, int attempts) {

    /** Returns the last committed phase; empty if there is none. */
    public Optional<RecoveryPoint> recoveryPoint() {
        return explanation.recoveryPoint();
    }

    /** Returns the time since the first claim, by the store's clock. */
    public Duration age() {
        return explanation.age();
    }
}
