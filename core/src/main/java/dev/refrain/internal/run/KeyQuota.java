package dev.refrain.internal.run;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the keys of a scope. A guard against a runaway client, not exact accounting: each instance counts about once a second,
 * so a scope can exceed the quota by what it claims within that time; and if counting fails, no key is rejected. Existing keys
 * are never rejected.
 */
final class KeyQuota {

    private static final long COUNT_EVERY = Duration.ofSeconds(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int SCOPES = 10_000;

    /** Last count of one scope. */
    private static final class ScopeCount {
        private final AtomicBoolean counting = new AtomicBoolean();
        private volatile OptionalLong keys = OptionalLong.empty();
        private volatile long at;
    }

    /** Quota of keys per scope, and the ability that counts them. */
    private record Limit(long keysPerScope, RecordCounter counter) {}

    private final Optional<Limit> limit;
    private final BatchedStoreClient storeClient;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final Cache<String, ScopeCount> tallies =
            Caffeine.newBuilder().maximumSize(SCOPES).executor(Runnable::run).build();

    /**
     * Creates the quota.
     *
     * @throws dev.refrain.store.MissingAbilityException if there is a quota and the store cannot count
     */
    KeyQuota(
            OptionalLong keysPerScope,
            Store store,
            BatchedStoreClient storeClient,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.limit = keysPerScope.isPresent()
                ? Optional.of(new Limit(
                        keysPerScope.getAsLong(),
                        StoreAbility.require(store, RecordCounter.class, "The setting max-keys-per-scope")))
                : Optional.empty();
        this.storeClient = storeClient;
        this.environment = environment;
        this.listener = listener;
    }

    void check(String operation, ScopedKey identity) {
        if (limit.isEmpty()) {
            return;
        }
        long quota = limit.get().keysPerScope();
        if (count(limit.get().counter(), identity.scope(), quota) >= quota
                && storeClient.find(identity, PATIENCE).isEmpty()) {
            listener.onEvent(new RefrainEvent.QuotaReached(operation));
            throw new QuotaReachedException(operation, quota);
        }
    }

    /**
     * Counts the keys of a scope. One caller counts and the others use the last count, so that a busy scope is not counted by all
     * of them at once.
     */
    private long count(RecordCounter counter, String scope, long upTo) {
        var tally = tallies.get(scope, s -> new ScopeCount());
        boolean fresh = tally.keys.isPresent() && environment.nanoTime() - tally.at < COUNT_EVERY;
        if (!fresh && tally.counting.compareAndSet(false, true)) {
            try {
                long keys = counter.countKeys(scope, upTo);
                tally.at = environment.nanoTime();
                tally.keys = OptionalLong.of(keys);
            } catch (StoreException away) {
                listener.onEvent(new RefrainEvent.StoreFailed("quota", away));
            } finally {
                tally.counting.set(false);
            }
        }
        return tally.keys.orElse(0);
    }
}
