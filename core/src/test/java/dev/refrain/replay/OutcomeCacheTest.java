package dev.refrain.replay;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Leased;
import dev.refrain.MismatchException;
import dev.refrain.OutcomeNotKeptException;
import dev.refrain.Refrain;
import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.observe.Event;
import dev.refrain.outcome.Payload;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
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

    private final World world = new World();
    private final OutcomeCache cache = cache(1 << 20);
    private final AtomicInteger effects = new AtomicInteger();

    private OutcomeCache cache(long bytes) {
        return new OutcomeCache(new OutcomeCache.Settings(bytes, LONGEST), world.environment);
    }

    private static Identity identity(String key) {
        return new Identity(SCOPE, "pay", key);
    }

    private static StoredRecord completed(Identity identity, Optional<Duration> lifeLeft, int bytes) {
        return record(identity, State.COMPLETED, lifeLeft, bytes);
    }

    private static StoredRecord record(Identity identity, State state, Optional<Duration> lifeLeft, int bytes) {
        return new StoredRecord(
                identity.hash(),
                new RecordId(new UUID(1, 2)),
                1,
                new UUID(1, 2),
                state,
                TakeOver.RESUME,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                lifeLeft,
                Optional.of(Payload.of(new byte[bytes])),
                Optional.empty(),
                Optional.empty());
    }

    private boolean remembers(OutcomeCache in, Identity identity) {
        return in.find(identity, identity.hash()).isPresent();
    }

    @Test
    void a_completed_outcome_is_remembered_for_the_stated_bound_and_not_a_moment_longer() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.of(Duration.ofHours(24)), 10), world.environment.nanoTime());

        world.environment.advance(LONGEST.minusNanos(1));
        assertThat(remembers(cache, key)).isTrue();
        world.environment.advance(Duration.ofNanos(1));
        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void what_lives_for_ever_is_remembered_for_the_stated_bound_too() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.empty(), 10), world.environment.nanoTime());

        world.environment.advance(LONGEST);
        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void never_beyond_the_life_that_the_store_gave_less_a_hundredth_for_clocks_that_differ() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(10)), 10), world.environment.nanoTime());

        world.environment.advance(Duration.ofMillis(9_899));
        assertThat(remembers(cache, key)).isTrue();
        world.environment.advance(Duration.ofMillis(2));
        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void life_is_counted_from_before_the_store_was_asked_so_a_slow_reply_counts() {
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
    void a_later_look_at_the_same_record_does_not_make_it_live_longer_than_it_does() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(10)), 10), world.environment.nanoTime());
        world.environment.advance(Duration.ofSeconds(5));
        cache.put(key, completed(key, Optional.of(Duration.ofSeconds(5)), 10), world.environment.nanoTime());

        world.environment.advance(Duration.ofSeconds(5));
        assertThat(remembers(cache, key)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = State.class, mode = EnumSource.Mode.EXCLUDE, names = "COMPLETED")
    void only_what_is_completed_is_remembered(State state) {
        var key = identity("k");
        cache.put(key, record(key, state, Optional.empty(), 10), world.environment.nanoTime());

        assertThat(remembers(cache, key)).isFalse();
    }

    @Test
    void another_identity_at_the_same_lookup_is_not_answered() {
        var key = identity("k");
        cache.put(key, completed(key, Optional.empty(), 10), world.environment.nanoTime());

        assertThat(cache.find(identity("another"), key.hash())).isEmpty();
        assertThat(cache.find(new Identity("another tenant", "pay", "k"), key.hash()))
                .isEmpty();
    }

    @Test
    void it_is_bounded_in_bytes() {
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
    void it_can_be_switched_off() {
        var off = new OutcomeCache(OutcomeCache.Settings.OFF, world.environment);
        var key = identity("k");
        off.put(key, completed(key, Optional.empty(), 10), world.environment.nanoTime());

        assertThat(remembers(off, key)).isFalse();
    }

    private Refrain remembering() {
        return world.process(world.settings().with(OutcomeCache.Settings.DEFAULT));
    }

    private Leased<String> pay(Refrain process) {
        return process.operation("pay", String.class).leased(TakeOver.RESUME);
    }

    private String run(Leased<String> pay, String request) {
        return pay.run(SCOPE, "k", request, claim -> "paid " + effects.incrementAndGet());
    }

    @Test
    void a_replay_that_was_seen_is_answered_without_asking_the_store() {
        var pay = pay(remembering());
        IntStream.range(0, 2).forEach(i -> run(pay, "x"));
        int asked = world.store.asked(Verb.CLAIM).size();

        IntStream.range(0, 10).forEach(i -> assertThat(run(pay, "x")).isEqualTo("paid 1"));

        assertThat(world.store.asked(Verb.CLAIM)).hasSize(asked);
        assertThat(world.events.of(Event.Claimed.class))
                .filteredOn(e -> e.result() == Event.Result.REPLAY_FROM_CACHE)
                .hasSize(10);
    }

    @Test
    void another_request_is_a_mismatch_from_memory_too() {
        var pay = pay(remembering());
        IntStream.range(0, 2).forEach(i -> run(pay, "x"));
        int asked = world.store.asked(Verb.CLAIM).size();

        assertThatThrownBy(() -> run(pay, "y")).isInstanceOf(MismatchException.class);

        assertThat(world.store.asked(Verb.CLAIM)).hasSize(asked);
    }

    @Test
    void after_expiry_the_key_is_new_whatever_this_process_remembers() {
        var pay = pay(remembering());
        IntStream.range(0, 2).forEach(i -> run(pay, "x"));
        world.clock.advance(Duration.ofHours(24).minusSeconds(70));
        world.advance(Duration.ofSeconds(65));
        assertThat(run(pay, "x")).isEqualTo("paid 1");

        world.advance(Duration.ofSeconds(5));

        assertThat(run(pay, "x")).isEqualTo("paid 2");
    }

    @Test
    void an_erasure_here_counts_at_once_and_elsewhere_within_the_stated_bound() {
        var here = remembering();
        var elsewhere = remembering();
        IntStream.range(0, 2).forEach(i -> run(pay(here), "x"));
        run(pay(elsewhere), "x");

        here.admin().erase(new ErasureOrder.OfScope(SCOPE), "dpo", "left us");

        assertThatThrownBy(() -> run(pay(here), "x")).isInstanceOf(OutcomeNotKeptException.class);
        world.advance(OutcomeCache.Settings.DEFAULT.maxAge());
        assertThatThrownBy(() -> run(pay(elsewhere), "x")).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void what_an_erasure_erased_before_it_failed_is_not_replayed_from_memory() {
        var here = remembering();
        IntStream.range(0, 2).forEach(i -> run(pay(here), "x"));
        world.store.next(Verb.ERASE, ScriptedStore.replyLost());

        assertThatThrownBy(() -> here.admin().erase(new ErasureOrder.OfScope(SCOPE), "dpo", "left us"))
                .hasMessageContaining("lost");

        assertThatThrownBy(() -> run(pay(here), "x")).isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void a_replay_that_was_under_way_during_an_erasure_is_given_and_not_remembered() {
        var here = remembering();
        run(pay(here), "x");
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.replyHeld(gate));
        var underWay = Background.run(() -> run(pay(here), "x"));
        gate.awaitArrival();
        here.admin().erase(new ErasureOrder.OfScope(SCOPE), "dpo", "left us");
        gate.open();
        assertThat(underWay.get()).isEqualTo("paid 1");

        assertThatThrownBy(() -> run(pay(here), "x")).isInstanceOf(OutcomeNotKeptException.class);
    }
}
