package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;

/**
 * Record with a stored request that nobody runs. Immutable.
 *
 * @param attempt number of this attempt to complete it without its caller, from 1
 */
public record AbandonedRecord(ScopedKey identity, RecordId id, Fingerprint fingerprint, int attempt) {}
