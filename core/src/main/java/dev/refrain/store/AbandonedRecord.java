package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;

/**
 * Work whose request is stored and that nobody runs.
 *
 * @param attempt the how manieth this is to finish it without its caller, counted from one
 */
public record AbandonedRecord(ScopedKey identity, RecordId id, Fingerprint fingerprint, int attempt) {}
