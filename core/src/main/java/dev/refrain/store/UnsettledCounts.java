package dev.refrain.store;

import java.time.Duration;
import java.util.Optional;

/**
 * What is not settled, as an operator wants to see it at a glance.
 *
 * @param inProgress how many records are in progress; what runs inside an uncommitted transaction is not seen
 * @param leaseOver how many of those have a lease that is over: their runner died, or hangs
 * @param attention how many wait for a decision
 * @param oldest how long ago the oldest in progress was first claimed; empty if nothing is in progress
 * @param more whether there may be more than was looked at: then every number here is the least that it can be
 */
public record UnsettledCounts(
        long inProgress, long leaseOver, long attention, Optional<Duration> oldest, boolean more) {}
