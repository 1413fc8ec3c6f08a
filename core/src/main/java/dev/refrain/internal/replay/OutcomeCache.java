package dev.refrain.internal.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Cache of completed outcomes, bounded in bytes. A completed outcome is immutable until it expires, so it can be replayed without
 * a query to the store.
 *
 * <p>An entry lives no longer than its record: the remaining life that the store returned is counted, on a monotonic clock, from
 * before the store was asked, and shortened by a hundredth for clocks that run at different speeds. An entry is also bounded by
 * the configured maximum age, and so is the time for which the outcome of an erased record is still replayed here.
 */
public final class OutcomeCache {

    private static final int ENTRY_OVERHEAD = 300;

    private record CachedRecord(ScopedKey identity, StoredRecord record, long deadline) {}

    private final Cache<KeyHash, CachedRecord> entries;
    private final Duration longest;
    private final ExecutionEnvironment environment;
    private volatile OptionalLong clearedAt = OptionalLong.empty();

    /**
     * Creates a cache.
     *
     * @param maxBytes maximum memory for outcomes; 0 disables the cache
     */
    public OutcomeCache(long maxBytes, Duration maxAge, ExecutionEnvironment environment) {
        this.longest = maxAge;
        this.environment = environment;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((KeyHash lookup, CachedRecord entry) -> ENTRY_OVERHEAD
                        + entry.record.outcome().map(p -> p.size()).orElse(0))
                .expireAfter(Expiry.creating((KeyHash lookup, CachedRecord entry) ->
                        Duration.ofNanos(Math.max(0, entry.deadline - environment.nanoTime()))))
                .ticker(environment::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Adds a completed record.
     *
     * @param askedAt time on the monotonic clock before the query for this record was sent
     */
    public void put(ScopedKey identity, StoredRecord record, long askedAt) {
        if (record.state() != RecordState.COMPLETED) {
            return;
        }
        var life = record.remainingLife()
                .map(left -> left.minus(left.dividedBy(100)))
                .filter(left -> left.compareTo(longest) < 0)
                .orElse(longest);
        long deadline = askedAt + life.toNanos();
        if (deadline - environment.nanoTime() > 0) {
            entries.put(record.lookup(), new CachedRecord(identity, record, deadline));
            if (clearedSince(askedAt)) {
                entries.invalidate(record.lookup());
            }
        }
    }

    /**
     * Returns true if the cache was cleared since the query, so that its result may be outdated. Checked after the entry is
     * added: one of the two sees the other.
     */
    private boolean clearedSince(long askedAt) {
        var moment = clearedAt;
        return moment.isPresent() && moment.getAsLong() - askedAt >= 0;
    }

    /** Returns the completed record, if it is cached and certainly not expired. */
    public Optional<StoredRecord> find(ScopedKey identity, KeyHash lookup) {
        return Optional.ofNullable(entries.getIfPresent(lookup))
                .filter(e -> e.identity.equals(identity) && e.deadline - environment.nanoTime() > 0)
                .map(CachedRecord::record);
    }

    /** Removes all entries, as after an erasure on this instance. */
    public void clear() {
        clearedAt = OptionalLong.of(environment.nanoTime());
        entries.invalidateAll();
    }
}
