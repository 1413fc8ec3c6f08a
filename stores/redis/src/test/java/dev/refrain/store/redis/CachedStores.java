package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Stores with a replay cache, and the database behind them. */
final class CachedStores {

    /** Long enough for any machine, where time is not what a test is about. */
    static final String PATIENT = "?key-prefix=shop&timeout=60s";

    private CachedStores() {}

    static ReplayCachingStore around(Store inner, String url, InstantSource clock) {
        return new ReplayCachingStore(inner, new RedisReplayCache(ReplayCacheSettings.of(url), clock));
    }

    /** Returns a store whose cache answers. */
    static ReplayCachingStore connected(Store inner, String url, InstantSource clock) {
        var store = around(inner, url, clock);
        awaitConnected(store);
        return store;
    }

    static ReplayCachingStore connected(Store inner, RedisServer server) {
        return connected(inner, server.url() + PATIENT, InstantSource.system());
    }

    static void awaitConnected(ReplayCachingStore store) {
        await().atMost(Duration.ofMinutes(2)).until(() -> store.cache().isConnected());
    }

    /** Counts how often a store is asked to claim or read, and can be away. */
    static final class CountedDatabase {
        private final Store store;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger replays = new AtomicInteger();
        private volatile boolean away;

        CountedDatabase(Store plain) {
            store = (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                        if (method.getName().equals("claim") || method.getName().equals("find")) {
                            asked.incrementAndGet();
                            if (away) {
                                throw StoreException.unavailable("The database is away.", Effect.NONE, null);
                            }
                        }
                        try {
                            var answer = method.invoke(plain, arguments);
                            if (answer instanceof List<?> answers) {
                                replays.addAndGet((int) answers.stream()
                                        .filter(each -> each instanceof ClaimResponse.Found found
                                                && found.record().state() == RecordState.COMPLETED)
                                        .count());
                            }
                            return answer;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        Store store() {
            return store;
        }

        int asked() {
            return asked.get();
        }

        /** Returns how many claims were answered with a completed record. */
        int replays() {
            return replays.get();
        }

        void goAway() {
            away = true;
        }
    }

    /** Completes a key, and has a retry promote it. */
    static StoredRecord promote(ReplayCachingStore store, String key, String outcome) {
        SampleClaims.complete(store, SampleClaims.acquire(store, key), outcome);
        // The first lookup of an empty Redis begins the epoch, the second one stores.
        found(store, key);
        return found(store, key);
    }

    static StoredRecord found(Store store, String key) {
        var answer = SampleClaims.claim(store, SampleClaims.request(key));
        assertThat(answer).isInstanceOf(ClaimResponse.Found.class);
        var record = ((ClaimResponse.Found) answer).record();
        assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
        return record;
    }

    /** Returns the names of all entries. */
    static List<String> entries(RedisServer server) {
        String names = server.command("EVAL", "return {ok = table.concat(redis.call('KEYS', '*:replay:*'), ' ')}", "0");
        return Stream.of(names.substring(1).split(" "))
                .filter(name -> !name.isEmpty())
                .sorted()
                .toList();
    }

    /** Returns whether an entry has this text in it. */
    static boolean anyEntryContains(RedisServer server, String text) {
        return entries(server).stream()
                .anyMatch(name -> server.command(
                                "EVAL",
                                "return string.find(redis.call('GET', KEYS[1]), ARGV[1], 1, true) and 1 or 0",
                                "1",
                                name,
                                text)
                        .equals(":1"));
    }

    /** Applies a script to each entry, whose name is KEYS[1]. */
    static void alterEntries(RedisServer server, String script, String... arguments) {
        for (String name : entries(server)) {
            var words = new ArrayList<>(List.of("EVAL", script, "1", name));
            words.addAll(List.of(arguments));
            assertThat(server.command(words.toArray(String[]::new))).doesNotStartWith("-");
        }
    }

    /** Returns how many of the keys that were read so far were there. */
    static int hits(RedisServer server) {
        String reply = server.command(
                "EVAL", "return tonumber(string.match(redis.call('INFO', 'stats'), 'keyspace_hits:(%d+)'))", "0");
        return Integer.parseInt(reply.substring(1));
    }
}
