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
 * How many keys a scope may hold. A guard against a runaway client, not an account: each instance counts about once a
 * second, so a scope can go over by what it claims within that time; and if it cannot be counted, nobody is refused. Keys
 * that exist are never refused.
 */
final class KeyQuota {

    private static final long COUNT_EVERY = Duration.ofSeconds(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int SCOPES = 10_000;

    /** What one scope had when it was last counted. */
    private static final class ScopeCount {
        private final AtomicBoolean counting = new AtomicBoolean();
        private volatile OptionalLong keys = OptionalLong.empty();
        private volatile long at;
    }

    /** The most keys of a scope, and who counts them. */
    private record Limit(long keysPerScope, RecordCounter counter) {}

    private final Optional<Limit> limit;
    private final BatchedStoreClient lanes;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final Cache<String, ScopeCount> tallies =
            Caffeine.newBuilder().maximumSize(SCOPES).executor(Runnable::run).build();

    /** @throws dev.refrain.store.MissingAbilityException if there is a quota and the store cannot count */
    KeyQuota(
            OptionalLong keysPerScope,
            Store store,
            BatchedStoreClient lanes,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.limit = keysPerScope.isPresent()
                ? Optional.of(new Limit(
                        keysPerScope.getAsLong(),
                        StoreAbility.require(store, RecordCounter.class, "The setting quota.keys-per-scope")))
                : Optional.empty();
        this.lanes = lanes;
        this.environment = environment;
        this.listener = listener;
    }

    void check(String operation, ScopedKey identity) {
        if (limit.isEmpty()) {
            return;
        }
        long quota = limit.get().keysPerScope();
        if (count(limit.get().counter(), identity.scope(), quota) >= quota
                && lanes.find(identity, PATIENCE).isEmpty()) {
            listener.onEvent(new RefrainEvent.QuotaReached(operation));
            throw new QuotaReachedException(operation, quota);
        }
    }

    /** One caller counts and the others go by the last count, so that a busy scope is not counted by all of them at once. */
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
