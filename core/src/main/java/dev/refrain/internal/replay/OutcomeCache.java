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
 * Completed outcomes this process has seen, bounded in bytes. A completed outcome is immutable until it expires, so it can
 * be replayed without asking the store.
 *
 * <p>An entry lives no longer than the record does: the life that the store gave is counted, on a monotonic clock, from
 * before the store was asked, and shortened by a hundredth for clocks that run at different speeds. And it lives no longer
 * than the configured greatest age, which bounds how long the outcome of a record that was erased is still replayed here.
 */
public final class OutcomeCache {

    private static final int ENTRY_OVERHEAD = 300;

    private record CachedRecord(ScopedKey identity, StoredRecord record, long deadline) {}

    private final Cache<KeyHash, CachedRecord> entries;
    private final Duration longest;
    private final ExecutionEnvironment environment;
    private volatile OptionalLong clearedAt = OptionalLong.empty();

    /** @param maxBytes most memory for outcomes; 0 switches the cache off */
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

    /** @param askedAt on the monotonic clock, before the question that brought this record was sent */
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

    /** Then what was asked before may be what the store no longer says. Looked at after the entry is there: one of the two sees the other. */
    private boolean clearedSince(long askedAt) {
        var moment = clearedAt;
        return moment.isPresent() && moment.getAsLong() - askedAt >= 0;
    }

    /** The completed record, if it was seen and is certainly still there. */
    public Optional<StoredRecord> find(ScopedKey identity, KeyHash lookup) {
        return Optional.ofNullable(entries.getIfPresent(lookup))
                .filter(e -> e.identity.equals(identity) && e.deadline - environment.nanoTime() > 0)
                .map(CachedRecord::record);
    }

    /** Forgets everything, as after an erasure on this instance. */
    public void clear() {
        clearedAt = OptionalLong.of(environment.nanoTime());
        entries.invalidateAll();
    }
}
