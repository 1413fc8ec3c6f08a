package dev.refrain.store.redis;

import static org.awaitility.Awaitility.await;

import dev.refrain.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Clock of replay caches in tests: that of the machine, and what was added. In their package, because nobody else sets it. */
public final class ManualReplayClock implements InstantSource {

    private volatile Duration ahead = Duration.ZERO;

    public void advance(Duration time) {
        ahead = ahead.plus(time);
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }

    /** Returns the store with a cache by this clock that answers. */
    public ReplayCachingStore around(Store inner, String url) {
        var cache = new RedisReplayCache(ReplayCacheSettings.of(url), this);
        await().atMost(Duration.ofMinutes(2)).until(cache::isConnected);
        return new ReplayCachingStore(inner, cache);
    }
}
