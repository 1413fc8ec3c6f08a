package dev.refrain.store;
/**
 * Store ability: counts the records of a scope, and unsettled records over all scopes. Callers bound every count.
 *
 * <p>Thread-safe; failures are {@link StoreException}s.
 */
public interface RecordCounter {

    /**
     * Counts the records of a scope up to {@code upTo}. May include expired records that were not reaped yet; excludes erased
     * ones, whose scope is gone.
     */
    long countKeys(String scope, long upTo);

    /**
     * Counts unsettled records, in progress and in attention, and those that wait for the reaper. Examines at most {@code limit} records for each, which may include
     * recently settled ones; the result says whether there may be more.
     */
    UnsettledCounts countUnsettled(int limit);
}
