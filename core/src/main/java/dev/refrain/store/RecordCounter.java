package dev.refrain.store;

/**
 * Store ability: counts the records of a scope, and what is not settled over all scopes. Every count is bounded by its caller.
 *
 * <p>Safe for use by many threads; failures are {@link StoreException}s.
 */
public interface RecordCounter {

    /**
     * Counts the records of a scope, no further than {@code upTo}. Expired records that were not reaped yet may be among them;
     * erased ones, whose scope is forgotten, are not.
     */
    long countKeys(String scope, long upTo);

    /**
     * Counts what is not settled: in progress and in attention. Looks at no more than {@code limit} records for each, which may be records
     * that were settled lately, and never at all of them; says so if there may be more.
     */
    UnsettledCounts countUnsettled(int limit);
}
