package dev.refrain.store.outbox;
/** One row as it was taken: it changes nothing but itself, and only as long as nobody else has taken or settled it. */
public record OutboxRowRef(long sequence, long fence) {}
