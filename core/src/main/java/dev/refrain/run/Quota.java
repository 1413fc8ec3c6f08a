package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.batch.Lanes;
import dev.refrain.key.Identity;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.Store;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many keys a scope may hold. A guard against a runaway client, not an account: each instance counts at most once a
 * second, so a scope can go over by what it claims within that time. Keys that exist are never refused.
 */
final class Quota {

    private static final long COUNT_EVERY = Duration.ofSeconds(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private record Counted(long keys, long at) {}

    private final OptionalLong keysPerScope;
    private final Store store;
    private final Lanes lanes;
    private final Environment environment;
    private final Listener listener;
    private final ConcurrentHashMap<String, Counted> counted = new ConcurrentHashMap<>();

    Quota(OptionalLong keysPerScope, Store store, Lanes lanes, Environment environment, Listener listener) {
        this.keysPerScope = keysPerScope;
        this.store = store;
        this.lanes = lanes;
        this.environment = environment;
        this.listener = listener;
    }

    void check(String operation, Identity identity) {
        if (keysPerScope.isEmpty()) {
            return;
        }
        long quota = keysPerScope.getAsLong();
        if (count(identity.scope(), quota) >= quota
                && lanes.find(identity, PATIENCE).isEmpty()) {
            listener.on(new Event.QuotaReached(operation));
            throw new QuotaReachedException(operation, quota);
        }
    }

    private long count(String scope, long upTo) {
        var last = counted.get(scope);
        if (last != null && environment.nanos() - last.at < COUNT_EVERY) {
            return last.keys;
        }
        var fresh = new Counted(store.count(scope, upTo), environment.nanos());
        counted.entrySet().removeIf(e -> fresh.at - e.getValue().at >= COUNT_EVERY);
        counted.put(scope, fresh);
        return fresh.keys;
    }
}
