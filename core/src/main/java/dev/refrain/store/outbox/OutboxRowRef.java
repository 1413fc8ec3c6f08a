package dev.refrain.store.outbox;
/** Identifies a leased row. A settlement changes only this row, and only while no other relay has leased or settled it. */
public record OutboxRowRef(long sequence, long fence) {}
