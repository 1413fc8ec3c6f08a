package dev.refrain.store.outbox;

import java.time.Duration;

/**
 * What is to be taken.
 *
 * @param lease for how long nobody else takes it
 * @param maxRows at most
 * @param maxRowsPerLane how many of one lane at most
 * @param maxBytes no further row once there are so many
 */
public record MessageLeaseRequest(String topic, Duration lease, int maxRows, int maxRowsPerLane, long maxBytes) {}
