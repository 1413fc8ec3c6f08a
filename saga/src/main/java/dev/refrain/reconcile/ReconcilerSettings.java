package dev.refrain.reconcile;

import java.time.Duration;

/**
 * Settings for the comparison of a ledger.
 *
 * @param settleTime the age from which an entry is compared; younger ones may still be under way; 15 min by default
 * @param overlap how much earlier than the last pass a pass begins: more than clocks differ and entries are late; 1 h by default
 * @param maxLookback the longest time that a pass looks back, besides the overlap; 3 days by default
 * @param matchedRetention how long matched entries are remembered, longer than maxLookback and overlap together; 7 days by default
 * @param pageSize how many entries are read and written at a time; 500 by default
 */
public record ReconcilerSettings(
        Duration settleTime, Duration overlap, Duration maxLookback, Duration matchedRetention, int pageSize) {

    /** The defaults. */
    public static final ReconcilerSettings DEFAULT = new ReconcilerSettings(
            Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofDays(3), Duration.ofDays(7), 500);

    public ReconcilerSettings {
        if (settleTime.isNegative() || overlap.isNegative() || maxLookback.isNegative() || pageSize < 1) {
            throw new IllegalArgumentException("Invalid reconciler settings: settleTime (" + settleTime + "), overlap ("
                    + overlap + ") and maxLookback (" + maxLookback + ") must not be negative, and pageSize ("
                    + pageSize
                    + ") must be at least 1.");
        }
        if (matchedRetention.compareTo(maxLookback.plus(overlap)) <= 0) {
            throw new IllegalArgumentException("Invalid reconciler settings: matchedRetention (" + matchedRetention
                    + ") must be longer than maxLookback (" + maxLookback + ") and overlap (" + overlap
                    + ") together.");
        }
    }
}
