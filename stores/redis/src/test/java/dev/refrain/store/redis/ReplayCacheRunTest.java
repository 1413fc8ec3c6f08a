package dev.refrain.store.redis;

import static dev.refrain.store.redis.CachedStores.around;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.store.redis.CachedStores.CountedDatabase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests whole operations of two instances while their Redis is flushed, killed, silenced and made to lie: each key runs once. */
class ReplayCacheRunTest {

    private static final int KEYS = 150;
    private static final int CALLERS = 8;
    private static final int ROUNDS = 2;
    private static final RefrainSettings WITHOUT_LOCAL_CACHE =
            RefrainSettings.defaults().with(RefrainSettings.CacheSettings.OFF);

    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Map<String, Outcome.Answer> answers = new ConcurrentHashMap<>();
    private final AtomicInteger contradictions = new AtomicInteger();
    private final AtomicInteger unexpected = new AtomicInteger();

    private void pay(LeasedOperation<Outcome.Answer> operation, int number) {
        String key = "key-" + number + "-of-payments";
        try {
            var answer = operation.run(
                    OperationCall.scope("tenant-1").key(key).request("one euro"),
                    claim -> new Outcome.Answer(
                            200,
                            List.of(),
                            SampleClaims.payload(key + " "
                                    + effects.computeIfAbsent(key, name -> new AtomicInteger())
                                            .incrementAndGet())));
            var before = answers.putIfAbsent(key, answer);
            if (before != null && !before.equals(answer)) {
                contradictions.incrementAndGet();
            }
        } catch (InProgressException e) {
            // Its twin runs.
        } catch (RefrainException e) {
            unexpected.incrementAndGet();
        }
    }

    @Test
    void keyRunsOnceAndAnswersTheSameWhateverBecomesOfRedis() throws Exception {
        var database = new CountedDatabase(new MemoryStore());
        int replays;
        try (var server = RedisServer.start(Map.of("appendonly", "no"));
                var proxy = new LossyProxy(server.port())) {
            String url = server.url(LossyProxy.port(LossyProxy.through("redis://there/", proxy)))
                    + "?key-prefix=shop&timeout=500ms";
            try (var one = around(database.store(), url, InstantSource.system());
                    var other = around(database.store(), url, InstantSource.system())) {
                var seenHere = new CountedDatabase(one);
                var seenThere = new CountedDatabase(other);
                try (var here = Refrain.using(seenHere.store(), WITHOUT_LOCAL_CACHE);
                        var there = Refrain.using(seenThere.store(), WITHOUT_LOCAL_CACHE)) {
                    var operations = List.of(
                            here.operation("charge").leased(LeaseExpiryPolicy.HOLD),
                            there.operation("charge").leased(LeaseExpiryPolicy.HOLD));
                    disturbWhile(server, proxy, List.of(one, other), disturbed -> {
                        for (int i = 0; !disturbed.get() || i < KEYS; i++) {
                            // Two that are new to most, and one that was there before.
                            pay(operations.get(i % 2), i);
                            pay(operations.get((i + 1) % 2), i);
                            pay(operations.get(i % 2), i / 2);
                        }
                    });
                }
                replays = seenHere.replays() + seenThere.replays();
            }
        }

        assertThat(effects).hasSizeGreaterThanOrEqualTo(KEYS);
        assertThat(effects.values()).allMatch(count -> count.get() == 1);
        assertThat(contradictions).hasValue(0);
        assertThat(unexpected).as("errors that callers saw").hasValue(0);
        assertThat(answers.keySet()).isEqualTo(effects.keySet());
        assertThat(replays - database.replays()).as("replays from Redis").isGreaterThan(KEYS);
    }

    /** Has callers call while Redis goes through all faults, each once it is used again by all stores. */
    private static void disturbWhile(
            RedisServer server, LossyProxy proxy, List<ReplayCachingStore> stores, Consumer<AtomicBoolean> caller)
            throws Exception {
        var faults = List.<Runnable>of(
                () -> server.command("FLUSHALL"),
                () -> CachedStores.alterEntries(server, "return redis.call('SET', KEYS[1], 'garbage', 'KEEPTTL')"),
                () -> shuffle(server),
                () -> CachedStores.alterEntries(server, "return redis.call('PERSIST', KEYS[1])"),
                () -> silence(proxy, stores),
                proxy::breakOff,
                server::restart,
                () -> server.command("DEL", "shop:replay-epoch"));
        var disturbed = new AtomicBoolean();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<?>>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(callers.submit(() -> caller.accept(disturbed)));
            }
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    for (var fault : faults) {
                        stores.forEach(CachedStores::awaitConnected);
                        await().atMost(Duration.ofMinutes(2))
                                .until(() -> CachedStores.entries(server).size() > 10);
                        fault.run();
                    }
                }
            } finally {
                disturbed.set(true);
            }
            for (var call : calls) {
                call.get();
            }
        }
    }

    private static void silence(LossyProxy proxy, List<ReplayCachingStore> stores) {
        proxy.standStill();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> stores.stream().noneMatch(store -> store.cache().isConnected()));
        proxy.heal();
    }

    private static void shuffle(RedisServer server) {
        var names = CachedStores.entries(server);
        for (int i = 0; i + 1 < names.size(); i += 2) {
            server.command(
                    "EVAL",
                    "local a, b = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])"
                            + " if a and b then redis.call('SET', KEYS[1], b) redis.call('SET', KEYS[2], a) end return 1",
                    "2",
                    names.get(i),
                    names.get(i + 1));
        }
    }
}
