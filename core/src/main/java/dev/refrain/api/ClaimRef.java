package dev.refrain.api;
/** Identifies one claim of one record. Every write carries it and changes nothing if the record has a newer claim. */
public record ClaimRef(KeyHash lookup, RecordId id, long fence) {}
