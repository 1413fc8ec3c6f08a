package dev.refrain.store;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import java.time.Duration;
import java.util.Optional;

/**
 * Work with a stored request that has not come to its end.
 *
 * @param recoveryPoint the name of the last committed phase; empty if there is none
 * @param age since the first claim, by the store's clock
 * @param attempts how often it was taken up without its caller
 */
public record Unfinished(
        Identity identity, RecordId id, State state, Optional<String> recoveryPoint, Duration age, int attempts) {}
