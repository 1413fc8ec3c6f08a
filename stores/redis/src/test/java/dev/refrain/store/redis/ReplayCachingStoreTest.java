package dev.refrain.store.redis;

import static dev.refrain.store.redis.CachedStores.PATIENT;
import static dev.refrain.store.redis.CachedStores.alterEntries;
import static dev.refrain.store.redis.CachedStores.connected;
import static dev.refrain.store.redis.CachedStores.found;
import static dev.refrain.store.redis.CachedStores.promote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.Retention;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.store.redis.CachedStores.CountedDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what is replayed from Redis, and what must not be. */
class ReplayCachingStoreTest {

    private static RedisServer server;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final CountedDatabase database = new CountedDatabase(new MemoryStore(() -> now));

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

    private ReplayCachingStore open() {
        return connected(database.store(), server.url() + PATIENT, () -> now);
    }

    @Test
    void laterRetriesAreReplayedOnEveryInstanceWithoutTheDatabase() {
        try (var one = open();
                var other = open()) {
            var byDatabase = promote(one, "key-1", "paid");
            int before = database.asked();

            assertThat(found(one, "key-1")).isEqualTo(byDatabase);
            assertThat(found(other, "key-1")).isEqualTo(byDatabase);
            assertThat(other.find(List.of(SampleClaims.identity("key-1")))).containsExactly(Optional.of(byDatabase));
            assertThat(database.asked()).isEqualTo(before);
        }
    }

    @Test
    void keyThatNobodyRetriesNeverReachesRedis() {
        try (var store = open()) {
            promote(store, "key-1", "retried");
            completed(store, "key-2", SampleClaims.payload("never retried"));

            assertThat(CachedStores.entries(server)).hasSize(1);
        }
    }

    private static String completed(ReplayCachingStore store, String key, Payload outcome) {
        var claim = SampleClaims.acquire(store, key);
        store.write(List.of(new RecordWrite.Complete(claim, Optional.ofNullable(outcome), Optional.empty())));
        return key;
    }

    @Test
    void outcomeIsReplayedByteByByteAlsoIfItIsBinaryOrEmptyOrNotKept() {
        var every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        try (var store = open()) {
            promote(store, "key-1", "begins the epoch");
            for (var outcome : List.of(Payload.of(every), Payload.of(new byte[0]))) {
                String key = completed(store, "key-of-" + outcome.size(), outcome);
                found(store, key);
                int before = database.asked();
                assertThat(found(store, key).outcome()).contains(outcome);
                assertThat(database.asked()).isEqualTo(before);
            }
            String key = completed(store, "key-without-outcome", null);
            found(store, key);
            int before = database.asked();
            assertThat(found(store, key).outcome()).isEmpty();
            assertThat(database.asked()).isEqualTo(before);
        }
    }

    @Test
    void largeOutcomeStaysInTheDatabase() {
        try (var store = open()) {
            promote(store, "key-0", "begins the epoch");
            var outcome = Payload.of(new byte[(64 << 10) + 1]);
            String key = completed(store, "key-1", outcome);
            found(store, key);

            assertThat(found(store, key).outcome()).contains(outcome);
            assertThat(CachedStores.entries(server)).hasSize(1);
        }
    }

    @Test
    void otherRequestUnderTheKeyOfAnEntryIsAMismatch() {
        var uncached = RefrainSettings.defaults().with(RefrainSettings.CacheSettings.OFF);
        try (var store = open();
                var refrain = Refrain.using(store, uncached)) {
            var operation = refrain.operation("charge").leased(LeaseExpiryPolicy.HOLD);
            for (int i = 0; i < 4; i++) {
                assertThat(charge(operation, "one euro").body()).isEqualTo(SampleClaims.payload("1"));
            }
            assertThat(CachedStores.entries(server)).hasSize(1);
            int before = database.asked();

            assertThatThrownBy(() -> charge(operation, "two euros")).isInstanceOf(RequestMismatchException.class);
            assertThat(database.asked()).isEqualTo(before);
        }
    }

    private static Outcome.Answer charge(LeasedOperation<Outcome.Answer> operation, String request) {
        return operation.run(
                OperationCall.scope("tenant-1").key("key-1-of-charges").request(request),
                claim -> new Outcome.Answer(200, List.of(), SampleClaims.payload(Long.toString(claim.fence()))));
    }

    @Test
    void keysThatAreThereAreAnsweredWhileTheDatabaseIsAway() {
        try (var store = open()) {
            promote(store, "key-1", "paid");
            database.goAway();

            var answers = store.claim(List.of(SampleClaims.request("key-1"), SampleClaims.request("key-2")));

            assertThat(answers.getFirst()).isInstanceOf(ClaimResponse.Found.class);
            assertThat(answers.getLast())
                    .isInstanceOfSatisfying(
                            ClaimResponse.Failed.class,
                            failed -> assertThat(failed.storeAway())
                                    .as("a call that fails open may run")
                                    .isTrue());
        }
    }

    /** Redis has every entry and a clock of its own, which is not moved here: the moment in the entry decides. */
    @Test
    void entryOfARecordThatHasExpiredIsNotReplayedByARedisThatKeepsItForEver() {
        try (var store = open()) {
            var old = promote(store, "key-1", "paid long ago");
            alterEntries(server, "return redis.call('PERSIST', KEYS[1])");
            now = now.plus(Duration.ofHours(25));

            var again = SampleClaims.acquire(store, "key-1");

            assertThat(again.id()).isNotEqualTo(old.id());
            SampleClaims.complete(store, again, "paid now");
            assertThat(found(store, "key-1").outcome()).contains(SampleClaims.payload("paid now"));
        }
    }

    @Test
    void entryIsReplayedForHalfOfWhatWasLeftOfItsRecordAndTheMaximumAgeAtTheMost() {
        try (var store = open()) {
            promote(store, "key-1", "begins the epoch");
            var claim = ((ClaimResponse.Acquired) store.claim(List.of(
                                    SampleClaims.request("key-2").withRetention(Retention.of(Duration.ofMinutes(1)))))
                            .getFirst())
                    .record()
                    .claim();
            SampleClaims.complete(store, claim, "kept for an hour");
            now = now.plus(Duration.ofMinutes(44));
            found(store, "key-2");
            assertThat(timesToLive("shop:replay:"
                            + RedisKeys.member(SampleClaims.identity("key-2").hash())))
                    .isBetween(0L, Duration.ofMinutes(8).toMillis());
            int before = database.asked();
            now = now.plus(Duration.ofMinutes(7));
            found(store, "key-2");
            assertThat(database.asked()).isEqualTo(before);
            now = now.plus(Duration.ofSeconds(61));
            found(store, "key-2");
            assertThat(database.asked()).isEqualTo(before + 1);
        }
    }

    private static long timesToLive(String key) {
        return Long.parseLong(server.command("PTTL", key).substring(1));
    }

    @Test
    void entryFromTheFutureIsNotReplayed() {
        try (var store = open()) {
            promote(store, "key-1", "paid");
            int before = database.asked();
            now = now.minus(Duration.ofMinutes(2));

            found(store, "key-1");

            assertThat(database.asked()).isEqualTo(before + 1);
        }
    }

    @Test
    void erasureVoidsTheEntriesOfAllInstancesAndThoseThatAreStillOnTheirWay() {
        try (var one = open();
                var other = open()) {
            promote(one, "key-1", "Eve paid");
            var beforeTheErasure = other.cache()
                    .find(List.of(new RedisReplayCache.Question(
                            SampleClaims.identity("key-2"),
                            SampleClaims.identity("key-2").hash())));
            var full = found(other, "key-1");

            eraseAll(one);
            other.cache().promote(beforeTheErasure, SampleClaims.identity("key-1"), full);

            assertThat(found(one, "key-1").outcome()).isEmpty();
            assertThat(found(other, "key-1").outcome()).isEmpty();
            assertThat(found(other, "key-1").fingerprint()).isEmpty();
        }
    }

    @Test
    void erasurePastTheCacheIsFollowedAfterTheMaximumAge() {
        try (var store = open()) {
            promote(store, "key-1", "Eve paid");
            alterEntries(server, "return redis.call('PERSIST', KEYS[1])");
            database.store()
                    .ability(RecordEraser.class)
                    .orElseThrow()
                    .erase(new ErasureRequest(new ErasureRequest.OfScope("tenant-1"), "ann", "asked to", 10));
            assertThat(found(store, "key-1").outcome()).isPresent();
            now = now.plus(Duration.ofMinutes(10));

            assertThat(found(store, "key-1").outcome()).isEmpty();
        }
    }

    @Test
    void erasureWhileRedisIsAwayIsMadeUpForBeforeItIsUsedAgain() {
        try (var lasting = RedisServer.start();
                var one = connected(database.store(), lasting);
                var other = connected(database.store(), lasting)) {
            promote(one, "key-1", "Eve paid");
            assertThat(found(other, "key-1").outcome()).isPresent();
            lasting.killHard();
            eraseAll(one);
            lasting.restart();
            CachedStores.awaitConnected(one);
            CachedStores.awaitConnected(other);

            // The first use finds that the erasure is still to be made up for.
            assertThat(found(one, "key-1").outcome()).isEmpty();
            CachedStores.awaitConnected(one);
            assertThat(found(other, "key-1").outcome()).isEmpty();
        }
    }

    private static void eraseAll(ReplayCachingStore store) {
        var order = new ErasureRequest(new ErasureRequest.OfScope("tenant-1"), "ann", "asked to", 10);
        assertThat(store.ability(RecordEraser.class).orElseThrow().erase(order).erased())
                .isEqualTo(1);
    }

    @Test
    void databasesWithDifferentPrefixesShareAServer() {
        try (var ours = open();
                var theirs = connected(
                        new MemoryStore(() -> now), server.url() + "?key-prefix=other&timeout=60s", () -> now)) {
            promote(ours, "key-1", "ours");

            SampleClaims.acquire(theirs, "key-1");
        }
    }

    @Test
    void storeIsOpenedInFrontOfAnotherByItsUrl() {
        var location =
                StoreLocation.of("redis://127.0.0.1:" + server.port() + PATIENT).login("", server.password());

        try (var store = (ReplayCachingStore) location.openBefore(new MemoryStore())) {
            CachedStores.awaitConnected(store);
            promote(store, "key-1", "paid");
            assertThat(CachedStores.entries(server)).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', has no key-prefix",
        "?key-prefix=, The key prefix ''",
        "?key-prefix=a&max-age=30s, max-age from 1 m to 24 h",
        "?key-prefix=a&max-age=2d, 'max-age is a time such as'",
        "?key-prefix=a&timeout=0ms, a timeout of 1 ms or more",
        "?key-prefix=a&secret=short, fewer than 32 characters",
        "?key-prefix=a&allow-eviction=true, has the parameter 'allow-eviction'"
    })
    void wrongParameterIsRefusedInASentence(String parameters, String sentence) {
        assertThatThrownBy(() -> ReplayCachingStore.around(database.store(), server.url() + parameters))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining(server.password());
    }
}
