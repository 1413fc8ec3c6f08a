package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Work with a stored request that has not come to its end.
 *
 * @param recoveryPoint the name of the last committed phase; empty if there is none
 * @param age since the first claim, by the store's clock
 * @param attempts how often it was taken up without its caller
 */
public record UnfinishedRecord(
        ScopedKey identity,
        RecordId id,
        RecordState state,
        Optional<String> recoveryPoint,
        Duration age,
        int attempts) {}
