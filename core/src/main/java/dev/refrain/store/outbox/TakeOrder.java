package dev.refrain.store.outbox;

import java.time.Duration;

/**
 * What is to be taken.
 *
 * @param lease for how long nobody else takes it
 * @param rows at most
 * @param inLane how many of one lane at most
 * @param bytes no further row once there are so many
 */
public record TakeOrder(String topic, Duration lease, int rows, int inLane, long bytes) {}
