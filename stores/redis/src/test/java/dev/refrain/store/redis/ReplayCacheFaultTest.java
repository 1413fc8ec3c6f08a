package dev.refrain.store.redis;

import static dev.refrain.store.redis.CachedStores.PATIENT;
import static dev.refrain.store.redis.CachedStores.alterEntries;
import static dev.refrain.store.redis.CachedStores.around;
import static dev.refrain.store.redis.CachedStores.awaitConnected;
import static dev.refrain.store.redis.CachedStores.connected;
import static dev.refrain.store.redis.CachedStores.found;
import static dev.refrain.store.redis.CachedStores.promote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.Payload;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.store.redis.CachedStores.CountedDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a Redis that forgets, is away or silent, or says what is not true: the database answers, and nothing wrong is replayed. */
class ReplayCacheFaultTest {

    private static final String SECRET = "&secret=0123456789abcdef0123456789abcdef";

    private static RedisServer server;

    private final CountedDatabase database = new CountedDatabase(new MemoryStore());

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void empty() {
        server.command("FLUSHALL");
    }

    private static String urlThrough(LossyProxy proxy, String parameters) {
        return server.url(LossyProxy.port(LossyProxy.through("redis://there/", proxy))) + parameters;
    }

    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {
                "return redis.call('SET', KEYS[1], '')",
                "return redis.call('SET', KEYS[1], 'what is this?')",
                "return redis.call('SET', KEYS[1], string.rep('\\1', 4096))",
                "local v = redis.call('GET', KEYS[1]) return redis.call('SET', KEYS[1], string.sub(v, 1, -2))",
                "local v = redis.call('GET', KEYS[1]) return redis.call('SET', KEYS[1], v .. v)",
                "local v = redis.call('GET', KEYS[1]) return redis.call('SET', KEYS[1], '\\2' .. string.sub(v, 2))",
                "redis.call('DEL', KEYS[1]) return redis.call('LPUSH', KEYS[1], 'a list')"
            })
    void entryThatIsNoneIsIgnoredAndReplacedByTheDatabasesAnswer(String fault) {
        try (var store = connected(database.store(), server)) {
            var right = promote(store, "key-1", "paid");
            alterEntries(server, fault);
            int before = database.asked();

            assertThat(found(store, "key-1").outcome()).isEqualTo(right.outcome());

            assertThat(database.asked()).isEqualTo(before + 1);
        }
    }

    @Test
    void noByteOfAnEntryCanBeChanged() {
        var codec = new ReplayEntryCodec("shop", Optional.empty());
        var identity = SampleClaims.identity("key-1");
        var epoch = Payload.of(new byte[ReplayEntryCodec.EPOCH_BYTES]);
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var plain = new MemoryStore(() -> now);
        SampleClaims.complete(plain, SampleClaims.acquire(plain, "key-1"), "paid");
        var record = found(plain, "key-1");
        byte[] entry =
                codec.encode(identity, record, new ReplayEntryCodec.EntryTerms(epoch, now, Duration.ofMinutes(10)));
        assertThat(codec.decode(entry, identity, identity.hash(), epoch, now)).contains(record);

        for (int i = 0; i < entry.length; i++) {
            entry[i] ^= 1;
            assertThat(codec.decode(entry, identity, identity.hash(), epoch, now))
                    .as("byte %d", i)
                    .isEmpty();
            entry[i] ^= 1;
        }
    }

    @Test
    void entryOfAnotherKeyIsNotReplayed() {
        try (var store = connected(database.store(), server)) {
            promote(store, "key-1", "one");
            promote(store, "key-2", "two");
            var names = CachedStores.entries(server);
            assertThat(names).hasSize(2);
            server.command("RENAME", names.getFirst(), "first");
            server.command("RENAME", names.getLast(), names.getFirst());
            server.command("RENAME", "first", names.getLast());

            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("one"));
            assertThat(found(store, "key-2").outcome()).contains(SampleClaims.payload("two"));
        }
    }

    @Test
    void entryUnderANewKeyRunsNothingAndReplaysNothing() {
        try (var store = connected(database.store(), server)) {
            promote(store, "key-1", "one");
            var name = CachedStores.entries(server).getFirst();
            server.command(
                    "RENAME",
                    name,
                    "shop:replay:"
                            + RedisKeys.member(SampleClaims.identity("key-2").hash()));

            SampleClaims.acquire(store, "key-2");
        }
    }

    @Test
    void entryThatWasMadeWithoutTheSecretIsNotReplayed() {
        try (var forger = connected(new MemoryStore(), server);
                var store = connected(database.store(), server.url() + PATIENT + SECRET, InstantSource.system())) {
            promote(forger, "key-1", "forged");
            assertThat(CachedStores.entries(server)).hasSize(1);

            SampleClaims.acquire(store, "key-1");
        }
    }

    @Test
    void flushedRedisIsFilledAgain() {
        try (var store = connected(database.store(), server)) {
            promote(store, "key-1", "paid");
            server.command("FLUSHALL");
            found(store, "key-1");
            found(store, "key-1");
            int before = database.asked();

            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid"));
            assertThat(database.asked()).isEqualTo(before);
        }
    }

    @Test
    void redisThatIsAwayAtTheStartIsUsedOnceItIsThere() {
        try (var late = RedisServer.start()) {
            late.killHard();
            try (var store = around(database.store(), late.url() + PATIENT, InstantSource.system())) {
                SampleClaims.complete(store, SampleClaims.acquire(store, "key-1"), "paid");
                assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid"));

                late.restart();
                awaitConnected(store);
                found(store, "key-1");
                found(store, "key-1");
                int before = database.asked();
                found(store, "key-1");
                assertThat(database.asked()).isEqualTo(before);
            }
        }
    }

    @Test
    void killedRedisFailsNoCall() {
        try (var mortal = RedisServer.start();
                var store = connected(database.store(), mortal)) {
            promote(store, "key-1", "paid");
            mortal.killHard();

            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid"));
            SampleClaims.acquire(store, "key-2");
        }
    }

    /** Only the calls that were under way when it fell silent wait; a new connection is not offered before it answers. */
    @Test
    void silentRedisCostsOneTimeoutAndNothingMoreUntilItAnswers() {
        try (var proxy = new LossyProxy(server.port());
                var store = connected(
                        database.store(), urlThrough(proxy, "?key-prefix=shop&timeout=2s"), InstantSource.system())) {
            promote(store, "key-1", "paid");
            proxy.fallSilent();
            found(store, "key-1");
            assertThat(store.cache().isConnected()).isFalse();

            long before = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                found(store, "key-1");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as("1,000 calls, of which each would wait for 2 s")
                    .isLessThan(Duration.ofSeconds(60));
            assertThat(store.cache().isConnected()).isFalse();

            proxy.heal();
            proxy.breakOff();
            awaitConnected(store);
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                int asked = database.asked();
                found(store, "key-1");
                return database.asked() == asked;
            });
        }
    }

    @Test
    void redisThatStandsStillIsLeftAndFoundAgain() {
        try (var proxy = new LossyProxy(server.port());
                var store = connected(
                        database.store(), urlThrough(proxy, "?key-prefix=shop&timeout=1s"), InstantSource.system())) {
            var right = promote(store, "key-1", "paid");
            proxy.standStill();
            assertThat(found(store, "key-1"))
                    .usingRecursiveComparison()
                    .ignoringFields("remainingLife", "remainingLease")
                    .isEqualTo(right);
            assertThat(SampleClaims.claim(store, SampleClaims.request("key-2")))
                    .isInstanceOf(ClaimResponse.Acquired.class);

            proxy.heal();
            awaitConnected(store);
            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid"));
        }
    }

    @Test
    void lostReplyIsAnsweredByTheDatabase() {
        try (var proxy = new LossyProxy(server.port());
                var store = connected(database.store(), urlThrough(proxy, PATIENT), InstantSource.system())) {
            promote(store, "key-1", "paid");
            proxy.loseReplies();

            assertThat(store.claim(List.of(SampleClaims.request("key-1"), SampleClaims.request("key-2"))))
                    .hasExactlyElementsOfTypes(ClaimResponse.Found.class, ClaimResponse.Acquired.class);
        }
    }

    /** Nothing could be promoted: the log says so, instead of a cache that is always empty. */
    @Test
    void replicaThatTakesNoChangesIsNotUsed() {
        try (var replica = RedisServer.start(Map.of("masterauth", server.password()));
                var store = connected(database.store(), replica)) {
            promote(store, "key-1", "paid");
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(server.port()));
            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid"));
            try (var warnings = CapturedWarnings.of(ReplayConnection.class);
                    var late = around(database.store(), replica.url() + PATIENT, InstantSource.system())) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> !warnings.messages().isEmpty());

                assertThat(warnings.messages().getFirst()).contains("replays no outcomes: READONLY");
                assertThat(found(late, "key-1").outcome()).contains(SampleClaims.payload("paid"));
                assertThat(late.cache().isConnected()).isFalse();
            }
        }
    }

    @Test
    void wrongPasswordIsNoErrorOfACall() {
        var url = "redis://:wrong@127.0.0.1:" + server.port() + PATIENT;
        try (var warnings = CapturedWarnings.of(ReplayConnection.class);
                var store = around(database.store(), url, InstantSource.system())) {
            SampleClaims.complete(store, SampleClaims.acquire(store, "key-1"), "paid");
            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid"));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !warnings.messages().isEmpty());

            assertThat(warnings.messages().getFirst()).contains("WRONGPASS").doesNotContain(":wrong");
            assertThat(store.cache().isConnected()).isFalse();
        }
    }
}
