package dev.refrain.reconcile;

import java.time.Duration;

/**
 * How a ledger is compared.
 *
 * @param settleTime what is younger may still be under way, here or there, and is not reported
 * @param overlap by how much a pass begins before the last one did: more than clocks differ and than the other system enters things late
 * @param maxLookback no pass begins longer ago, by more than the overlap
 * @param matchedRetention for how long what agrees is remembered; longer than reach and overlap, or it would look new when it is read again
 * @param pageSize how many entries are read and written at a time
 */
public record ReconcilerSettings(
        Duration settleTime, Duration overlap, Duration maxLookback, Duration matchedRetention, int pageSize) {

    public static final ReconcilerSettings DEFAULT = new ReconcilerSettings(
            Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofDays(3), Duration.ofDays(7), 500);

    public ReconcilerSettings {
        if (settleTime.isNegative() || overlap.isNegative() || maxLookback.isNegative() || pageSize < 1) {
            throw new IllegalArgumentException("settling, overlap and reach must not be negative and page at least 1: "
                    + settleTime + ", " + overlap + ", " + maxLookback + ", " + pageSize + ".");
        }
        if (matchedRetention.compareTo(maxLookback.plus(overlap)) <= 0) {
            throw new IllegalArgumentException("What agrees is kept for " + matchedRetention
                    + ", but read again for as long as reach and overlap: " + maxLookback + " and " + overlap + ".");
        }
    }
}
