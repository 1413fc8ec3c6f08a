package dev.refrain.store.outbox;

import java.time.Duration;

/**
 * Request to lease messages of a topic. Immutable.
 *
 * @param lease how long no other relay gets them
 * @param maxRows the maximum number of messages
 * @param maxRowsPerLane the maximum number of messages of one lane
 * @param maxBytes stops adding messages once their total size reaches this
 */
public record MessageLeaseRequest(String topic, Duration lease, int maxRows, int maxRowsPerLane, long maxBytes) {}
