package dev.refrain.internal.replay;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeCacheTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final OutcomeCache cache = cache(1 << 20);
    private final AtomicInteger effects = new AtomicInteger();

    private OutcomeCache cache(long bytes) {
        return new OutcomeCache(bytes, LONGEST, world.environment);
    }

    private static ScopedKey identity(String key) {
        return new ScopedKey(SCOPE, "pay", key);
    }

    private static StoredRecord completed(ScopedKey identity, Optional<Duration> lifeLeft, int bytes) {
        return record(identity, RecordState.COMPLETED, lifeLeft, bytes);
    }

    private static StoredRecord record(ScopedKey identity, RecordState state, Optional<Duration> lifeLeft, int bytes) {
        return new StoredRecord(
                identity.hash(),
                new RecordId(new UUID(1, 2)),
                1,
                new UUID(1, 2),
                state,
                LeaseExpiryPolicy.RESUME,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                lifeLeft,
                Optional.of(Payload.of(new byte[bytes])),
                Optional.empty(),
                Optional.empty());
    }

    private boolean remembers(OutcomeCache in, ScopedKey identity) {
        return in.find(identity, identity.hash()).isPresent();
    }

    @Test
    void completedOutcomeIsRememberedForTheStatedBoundAndNotAMomentLonger() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.of(Duration.ofHours(24)), 10), world.environment.nanoTime());

        world.environment.advance(LONGEST.minusNanos(1));
        assertThat(remembers(cache, key)).isTrue();
        world.environment.advance(Duration.ofNanos(1));
        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void outcomeKeptForEverIsRememberedForTheStatedBoundToo() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.empty(), 10), world.environment.nanoTime());

        world.environment.advance(LONGEST);
        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void neverBeyondTheLifeThatTheStoreGaveLessAHundredthForClocksThatDiffer() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(10)), 10), world.environment.nanoTime());

        world.environment.advance(Duration.ofMillis(9_899));
        assertThat(remembers(cache, key)).isTrue();
        world.environment.advance(Duration.ofMillis(2));
        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void lifeIsCountedFromBeforeTheStoreWasAskedSoASlowReplyCounts() {
        var key = identity("k");
        long askedAt = world.environment.nanoTime();
        world.environment.advance(Duration.ofSeconds(7));
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(10)), 10), askedAt);

        world.environment.advance(Duration.ofSeconds(2));
        assertThat(remembers(cache, key)).isTrue();
        world.environment.advance(Duration.ofSeconds(1));
        assertThat(remembers(cache, key)).isFalse();

        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(10)), 10), askedAt);
        assertThat(remembers(cache, key))
                .as("a reply slower than the record's life")
                .isFalse();
    }

    @Test
    void laterLookAtTheSameRecordDoesNotMakeItLiveLongerThanItDoes() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(10)), 10), world.environment.nanoTime());
        world.environment.advance(Duration.ofSeconds(5));
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(5)), 10), world.environment.nanoTime());

        world.environment.advance(Duration.ofSeconds(5));
        assertThat(remembers(cache, key)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = RecordState.class, mode = EnumSource.Mode.EXCLUDE, names = "COMPLETED")
    void onlyWhatIsCompletedIsRemembered(RecordState state) {
        var key = identity("k");
        cache.put(key, record(key, state, Optional.empty(), 10), world.environment.nanoTime());

        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void anotherIdentityAtTheSameLookupIsNotAnswered() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.empty(), 10), world.environment.nanoTime());

        assertThat(cache.find(identity("another"), key.hash())).isEmpty();
        assertThat(cache.find(new ScopedKey("another tenant", "pay", "k"), key.hash()))
                .isEmpty();
    }

    @Test
    void cacheIsBoundedInBytes() {
        var small = cache(100_000);
        IntStream.range(0, 1_000).forEach(i -> {
            var key = identity("k" + i);
            small.put(key, completed(key, Optional.empty(), 9_700), world.environment.nanoTime());
        });

        long remembered = IntStream.range(0, 1_000)
                .filter(i -> remembers(small, identity("k" + i)))
                .count();
        assertThat(remembered).isBetween(1L, 10L);
    }

    @Test
    void cacheCanBeSwitchedOff() {
        var off = new OutcomeCache(CacheSettings.OFF.maxBytes(), CacheSettings.OFF.maxAge(), world.environment);
        var key = identity("k");
        off.put(key, completed(key, Optional.empty(), 10), world.environment.nanoTime());

        assertThat(remembers(off, key)).isFalse();
    }

    private Refrain remembering() {
        return world.process(world.settings().with(CacheSettings.DEFAULT));
    }

    private LeasedOperation<String> pay(Refrain process) {
        return process.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
    }

    private String run(LeasedOperation<String> pay, String request) {
        return pay.run(
                OperationCall.scope(SCOPE).key("k").request(request), claim -> "paid " + effects.incrementAndGet());
    }

    @Test
    void replayThatWasSeenIsAnsweredWithoutAskingTheStore() {
        var pay = pay(remembering());
        IntStream.range(0, 2).forEach(i -> run(pay, "x"));
        int asked = world.store.asked(StoreMethod.CLAIM).size();

        IntStream.range(0, 10).forEach(i -> assertThat(run(pay, "x")).isEqualTo("paid 1"));

        assertThat(world.store.asked(StoreMethod.CLAIM)).hasSize(asked);
        assertThat(world.events.of(RefrainEvent.Claimed.class))
                .filteredOn(e -> e.result() == RefrainEvent.ClaimResult.REPLAY_FROM_CACHE)
                .hasSize(10);
    }

    @Test
    void anotherRequestIsAMismatchFromMemoryToo() {
        var pay = pay(remembering());
        IntStream.range(0, 2).forEach(i -> run(pay, "x"));
        int asked = world.store.asked(StoreMethod.CLAIM).size();

        assertThatThrownBy(() -> run(pay, "y")).isInstanceOf(RequestMismatchException.class);

        assertThat(world.store.asked(StoreMethod.CLAIM)).hasSize(asked);
    }

    @Test
    void afterExpiryTheKeyIsNewWhateverThisProcessRemembers() {
        var pay = pay(remembering());
        IntStream.range(0, 2).forEach(i -> run(pay, "x"));
        world.clock.advance(Duration.ofHours(24).minusSeconds(70));
        world.advance(Duration.ofSeconds(65));
        assertThat(run(pay, "x")).isEqualTo("paid 1");

        world.advance(Duration.ofSeconds(5));

        assertThat(run(pay, "x")).isEqualTo("paid 2");
    }

    @Test
    void erasureHereCountsAtOnceAndElsewhereWithinTheStatedBound() {
        var here = remembering();
        var elsewhere = remembering();
        IntStream.range(0, 2).forEach(i -> run(pay(here), "x"));
        run(pay(elsewhere), "x");

        here.admin().erase(new ErasureRequest.OfScope(SCOPE), "dpo", "left us");

        assertThatThrownBy(() -> run(pay(here), "x")).isInstanceOf(OutcomeNotKeptException.class);
        world.advance(CacheSettings.DEFAULT.maxAge());
        assertThatThrownBy(() -> run(pay(elsewhere), "x")).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void recordErasedBeforeTheErasureFailedIsNotReplayedFromMemory() {
        var here = remembering();
        IntStream.range(0, 2).forEach(i -> run(pay(here), "x"));
        world.store.next(StoreMethod.ERASE, ScriptedStore.replyLost());

        assertThatThrownBy(() -> here.admin().erase(new ErasureRequest.OfScope(SCOPE), "dpo", "left us"))
                .hasMessageContaining("lost");

        assertThatThrownBy(() -> run(pay(here), "x")).isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void replayThatWasUnderWayDuringAnErasureIsGivenAndNotRemembered() {
        var here = remembering();
        run(pay(here), "x");
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyHeld(gate));
        var underWay = BackgroundCall.run(() -> run(pay(here), "x"));
        gate.awaitArrival();
        here.admin().erase(new ErasureRequest.OfScope(SCOPE), "dpo", "left us");
        gate.open();
        assertThat(underWay.get()).isEqualTo("paid 1");

        assertThatThrownBy(() -> run(pay(here), "x")).isInstanceOf(OutcomeNotKeptException.class);
    }
}
