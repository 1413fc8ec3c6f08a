package dev.refrain.api;
/** Names one claim of one record. Every write carries it, and changes nothing if the record has moved on. */
public record ClaimRef(KeyHash lookup, RecordId id, long fence) {}
