package dev.refrain.store;

import dev.refrain.key.Lookup;
import dev.refrain.key.RecordId;

/** Names one claim of one record. Every write carries it, and changes nothing if the record has moved on. */
public record ClaimRef(Lookup lookup, RecordId id, long fence) {}
