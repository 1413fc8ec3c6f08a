package dev.refrain.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Counts of unsettled and of expired records, for an operator's overview.
 *
 * @param inProgress how many records are in progress; without those inside uncommitted transactions
 * @param leaseOver how many of those have an expired lease: their runner crashed or hangs
 * @param attention how many need attention
 * @param oldest how long ago the oldest in progress was first claimed; empty if nothing is in progress
 * @param expired how many settled records are past their retention and wait for the reaper
 * @param reapDelay how long ago the first of those expired; empty if there is none
 * @param more whether the store stopped counting at a limit, so that every number is a lower bound
 */
public record UnsettledCounts(
        long inProgress,
        long leaseOver,
        long attention,
        Optional<Duration> oldest,
        long expired,
        Optional<Duration> reapDelay,
        boolean more) {}
