package dev.refrain.store.redis;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.redis.RedisReplayCache.Question;
import dev.refrain.store.redis.RedisReplayCache.Sight;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Any store, with completed outcomes replayed from Redis where they are there. The store inside decides everything else: who runs, and what is stored.
 * {@snippet :
 * var store = ReplayCachingStore.around(jdbcStore, "redis://cache:6379?key-prefix=shop");
 * var refrain = Refrain.using(store);
 * }
 *
 * <p>A claim or a read asks Redis first, and the store inside for what is not there. What the store inside then returns as completed is promoted: a key that nobody
 * retries never reaches Redis, and the second retry is the first to be replayed from it. Since a completed record never changes before it expires, an entry is right or
 * absent; a Redis that forgets, is away, is silent or is wrong costs a few milliseconds and never runs anything.
 *
 * <p>It has the abilities of the store inside. An erasure through this store voids all entries; an erasure elsewhere is followed after the maximum age.
 * Transactions of the store inside are used as they are. Encryption goes around it: {@code EncryptingStore.around(ReplayCachingStore.around(jdbc, url), ring)}.
 *
 * <p>As safe for use by many threads as the store inside. Closing it closes the store inside too.
 */
public final class ReplayCachingStore implements Store {

    private final Store inner;
    private final RedisReplayCache cache;

    ReplayCachingStore(Store inner, RedisReplayCache cache) {
        this.inner = inner;
        this.cache = cache;
    }

    /**
     * Returns the store with a replay cache. Connects in the background: a Redis that is away does not hold up the start.
     *
     * @param url of the Redis, with the parameter {@code key-prefix}, another one for each database, and, where needed, {@code timeout} (10 ms), {@code
     *     max-age} (10 m) and {@code secret}
     * @throws IllegalArgumentException if the URL cannot be read, or the store inside encrypts
     */
    public static ReplayCachingStore around(Store inner, String url) {
        return around(inner, ReplayCacheSettings.of(url));
    }

    static ReplayCachingStore around(Store inner, ReplayCacheSettings settings) {
        if (inner.traits().encrypted()) {
            throw new IllegalArgumentException(
                    "The store inside encrypts, so that outcomes would be in Redis in the clear. Put the encryption around:"
                            + " EncryptingStore.around(ReplayCachingStore.around(store, url), ring).");
        }
        return new ReplayCachingStore(inner, new RedisReplayCache(settings, InstantSource.system()));
    }

    @Override
    public StoreTraits traits() {
        return inner.traits();
    }

    /** {@inheritDoc} Where the store inside cannot be asked, what Redis has is answered nevertheless. */
    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        var seen = cache.find(requests.stream()
                .map(request -> new Question(request.identity(), request.lookup()))
                .toList());
        if (seen.isEmpty()) {
            return promoted(seen, requests, inner.claim(requests));
        }
        var missed = new ArrayList<ClaimRequest>();
        for (int i = 0; i < requests.size(); i++) {
            if (seen.records().get(i).isEmpty()) {
                missed.add(requests.get(i));
            }
        }
        var rest = claimRest(seen, missed).iterator();
        return seen.records().stream()
                .map(record ->
                        record.<ClaimResponse>map(ClaimResponse.Found::new).orElseGet(rest::next))
                .toList();
    }

    private List<ClaimResponse> claimRest(Sight seen, List<ClaimRequest> missed) {
        if (missed.isEmpty()) {
            return List.of();
        }
        try {
            return promoted(seen, missed, inner.claim(missed));
        } catch (StoreException failure) {
            boolean away = !(failure instanceof StoreOverloadedException) && !(failure instanceof RowRejectedException);
            return missed.stream()
                    .<ClaimResponse>map(request -> new ClaimResponse.Failed(failure, away))
                    .toList();
        }
    }

    private List<ClaimResponse> promoted(Sight seen, List<ClaimRequest> requests, List<ClaimResponse> answers) {
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof ClaimResponse.Found found) {
                cache.promote(seen, requests.get(i).identity(), found.record());
            }
        }
        return answers;
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        var seen = cache.find(identities.stream()
                .map(identity -> new Question(identity, identity.hash()))
                .toList());
        var missed = new ArrayList<ScopedKey>();
        for (int i = 0; i < identities.size(); i++) {
            if (seen.records().get(i).isEmpty()) {
                missed.add(identities.get(i));
            }
        }
        if (missed.isEmpty()) {
            return seen.records();
        }
        var found = inner.find(missed);
        for (int i = 0; i < found.size(); i++) {
            var identity = missed.get(i);
            found.get(i).ifPresent(record -> cache.promote(seen, identity, record));
        }
        var rest = found.iterator();
        return seen.records().stream()
                .map(record -> record.isPresent() ? record : rest.next())
                .toList();
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        return inner.write(writes);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return inner.explain(identity);
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        inner.addSteps(origin);
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return inner.sweep(grace, limit);
    }

    @Override
    public int reap(int limit) {
        return inner.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return inner.listAttention(after, limit);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return inner.resolve(resolution);
    }

    /** {@inheritDoc} The store inside is one of them, because nothing that it writes is changed here. */
    @Override
    public <A> Optional<A> ability(Class<A> type) {
        Optional<?> part;
        if (type.equals(RecordEraser.class)) {
            part = inner.ability(RecordEraser.class).map(this::voidingEntries);
        } else if (type.equals(StoreTransactionFactory.class)) {
            part = inner.ability(StoreTransactionFactory.class).map(this::uncached);
        } else {
            part = inner.ability(type);
        }
        return part.map(type::cast);
    }

    private RecordEraser voidingEntries(RecordEraser eraser) {
        return order -> {
            try {
                return eraser.erase(order);
            } finally {
                cache.forgetAll();
            }
        };
    }

    private StoreTransactionFactory<?> uncached(StoreTransactionFactory<?> transactions) {
        return new UncachedTransactionFactory<>(this, transactions);
    }

    RedisReplayCache cache() {
        return cache;
    }

    @Override
    public void close() {
        try {
            cache.close();
        } finally {
            inner.close();
        }
    }
}
