package dev.refrain.store.redis;

import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.StoreOpener;
import java.time.Duration;
import java.util.List;

/**
 * Opens a {@link RedisStore} by its URL, whose parameters are the settings of {@link RedisStoreBuilder}: {@code
 * redis://HOST:PORT?key-prefix=shop&timeout=2s&wait-for-replicas=1&wait-within=200ms}. Others are Lettuce's. In front of another store the same
 * URLs open a {@link ReplayCachingStore}. Thread-safe.
 */
public final class RedisStoreOpener implements StoreOpener {

    private static final String SUBJECT = "Redis store";
    private static final List<String> PARAMETERS =
            List.of("key-prefix", "timeout", "wait-for-replicas", "wait-for-sync", "wait-within", "allow-eviction");

    @Override
    public boolean accepts(String url) {
        return RedisUrl.isOfRedis(url);
    }

    @Override
    public String examples() {
        return "redis://HOST:PORT, rediss://HOST:PORT, redis-sentinel://HOST:PORT#MASTER";
    }

    @Override
    public Store open(StoreLocation location) {
        refuseSchema(location);
        var url = RedisUrl.read(SUBJECT, location.url(), PARAMETERS);
        var builder = new RedisStoreBuilder(url.uris());
        location.password().ifPresent(secret -> builder.login(location.user().orElse(""), secret));
        configure(builder, url);
        return builder.build();
    }

    @Override
    public Store openBefore(Store store, StoreLocation location) {
        refuseSchema(location);
        var settings = ReplayCacheSettings.of(location.url());
        location.password()
                .ifPresent(secret ->
                        RedisUrl.login(settings.uris(), location.user().orElse(""), secret));
        return ReplayCachingStore.around(store, settings);
    }

    private static void refuseSchema(StoreLocation location) {
        if (!location.schema().isEmpty()) {
            throw new IllegalArgumentException(
                    "Redis has no schemas. Leave the schema out; ?key-prefix=NAME in the URL tells stores on one server apart.");
        }
    }

    private static void configure(RedisStoreBuilder builder, RedisUrl url) {
        if (url.has("key-prefix")) {
            builder.keyPrefix(url.text("key-prefix"));
        }
        if (url.has("timeout")) {
            builder.timeout(url.time("timeout", Duration.ZERO));
        }
        builder.allowEviction(url.yes("allow-eviction"));
        int replicas = url.number("wait-for-replicas", 0);
        var within = url.time("wait-within", Duration.ofMillis(200));
        if (url.yes("wait-for-sync")) {
            builder.waitForSync(replicas, within);
        } else if (replicas > 0) {
            builder.waitForReplicas(replicas, within);
        }
    }
}
