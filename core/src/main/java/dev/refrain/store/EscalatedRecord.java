package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.util.Optional;

/**
 * Record that a worker moved to attention.
 *
 * @param operation the route, operation, flow or topic as people call it; empty if it is not known
 */
public record EscalatedRecord(Optional<String> operation, ScopedKey identity, RecordId id) {}
