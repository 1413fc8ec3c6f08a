package dev.refrain.claim;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.batch.Lanes;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.fingerprint.Request;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClaimerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final World world = new World();
    private final Lanes lanes = new Lanes(world.store, world.environment, world.events, orphan -> {});
    private final Claimer claimer = new Claimer(lanes, world.environment);

    private static Ask ask(String body) {
        return ask(body, Fingerprinter.unkeyed());
    }

    private static Ask ask(String body, Fingerprinter fingerprinter) {
        return Ask.of(new Identity(World.SCOPE, "pay", "k"), Request.of("pay", body), fingerprinter);
    }

    private static Claimer.Terms terms(TakeOver takeOver) {
        return new Claimer.Terms(LEASE, takeOver, Retention.of(Duration.ofHours(24)), PATIENCE);
    }

    private ClaimResult claim(String body) {
        return claimer.acquire(ask(body), terms(TakeOver.RESUME));
    }

    private StoredRecord acquire(TakeOver takeOver) {
        return ((ClaimResult.Acquired) claimer.acquire(ask("one euro"), terms(takeOver))).record();
    }

    private StoredRecord record() {
        return world.record("pay", "k").orElseThrow();
    }

    /** The record in each state, with its lease over where that can be. */
    private void bringTo(State state) {
        var claim = acquire(TakeOver.HOLD).claim();
        switch (state) {
            case IN_PROGRESS -> world.clock.advance(LEASE);
            case RELEASED -> world.memory.write(List.of(new Write.Release(claim)));
            case ATTENTION -> world.memory.write(List.of(new Write.Escalate(claim, "nobody knows")));
            case COMPLETED ->
                world.memory.write(List.of(new Write.Complete(claim, Optional.empty(), Optional.empty())));
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void another_request_changes_nothing_and_is_a_mismatch_in_every_state(State state) {
        bringTo(state);
        var before = record();

        assertThat(claim("two euros")).isEqualTo(new ClaimResult.Mismatch(before.id()));
        assertThat(record()).isEqualTo(before);
    }

    @Test
    void a_released_record_is_claimed_with_the_same_id_and_the_next_fence() {
        bringTo(State.RELEASED);
        var id = record().id();

        assertThat(claim("one euro")).isInstanceOfSatisfying(ClaimResult.Acquired.class, acquired -> {
            assertThat(acquired.record().id()).isEqualTo(id);
            assertThat(acquired.record().fence()).isEqualTo(2);
        });
    }

    @Test
    void a_held_claim_whose_lease_is_over_goes_to_attention_and_is_never_acquired() {
        bringTo(State.IN_PROGRESS);

        assertThat(claim("one euro")).isInstanceOf(ClaimResult.Attention.class);
        assertThat(record().state()).isEqualTo(State.ATTENTION);
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"RELEASED", "IN_PROGRESS"})
    void a_record_made_by_another_recipe_is_claimed_by_the_same_request_and_by_no_other(State state) {
        var claim = acquire(TakeOver.RESUME).claim();
        if (state == State.RELEASED) {
            world.memory.write(List.of(new Write.Release(claim)));
        } else {
            world.clock.advance(LEASE);
        }
        var keyed = Fingerprinter.builder().secret("s1", new byte[32]).build();

        assertThat(claimer.acquire(ask("two euros", keyed), terms(TakeOver.RESUME)))
                .isInstanceOf(ClaimResult.Mismatch.class);
        assertThat(claimer.acquire(ask("one euro", keyed), terms(TakeOver.RESUME)))
                .isInstanceOfSatisfying(
                        ClaimResult.Acquired.class,
                        a -> assertThat(a.record().fence()).isEqualTo(2));
        assertThat(record().fingerprint())
                .as("the record keeps the fingerprint it was made with")
                .contains(ask("one euro").fingerprint());
    }

    @Test
    void what_runs_in_an_uncommitted_transaction_cannot_be_seen_and_is_in_progress() {
        world.store.next(Verb.CLAIM, (rows, call) -> List.of(new ClaimAnswer.Unseen()));

        assertThat(claim("one euro")).isEqualTo(new ClaimResult.InProgress(Optional.empty()));
    }

    @Test
    void whoever_loses_every_race_is_told_that_it_is_in_progress_and_does_not_ask_for_ever() {
        var released = acquire(TakeOver.RESUME);
        world.memory.write(List.of(new Write.Release(released.claim())));
        var seen = record();
        var nonces = new ArrayList<UUID>();
        Function<ClaimRequest, ClaimAnswer> alwaysTooLate = request -> {
            nonces.add(request.nonce());
            return new ClaimAnswer.Found(seen);
        };

        var result = claimer.acquire(ask("one euro"), terms(TakeOver.RESUME), alwaysTooLate);

        assertThat(result).isEqualTo(new ClaimResult.InProgress(Optional.of(seen)));
        assertThat(nonces).hasSizeBetween(2, 16).doesNotHaveDuplicates();
    }

    @Test
    void a_race_that_is_lost_once_is_tried_again() {
        bringTo(State.RELEASED);
        var seen = record();
        world.store.next(Verb.CLAIM, (rows, call) -> List.of(new ClaimAnswer.Found(seen)));

        assertThat(claim("one euro")).isInstanceOf(ClaimResult.Acquired.class);
    }

    @Test
    void a_store_that_is_away_is_told_after_the_patience_and_nothing_was_claimed() {
        world.store.always(Verb.CLAIM, ScriptedStore.away());
        var claiming = Background.run(() -> claim("one euro"));

        advancing(world, Duration.ofMillis(50), claiming::isDone);

        assertThat((StoreException) claiming.failure())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
        assertThat(world.record("pay", "k")).isEmpty();
    }

    @Test
    void a_claim_whose_reply_was_lost_for_good_is_given_back_since_nothing_ran_under_it() {
        world.store.next(Verb.CLAIM, ScriptedStore.replyLost());
        world.store.always(Verb.CLAIM, ScriptedStore.away());
        var claiming = Background.run(() -> claimer.acquire(ask("one euro"), terms(TakeOver.HOLD)));

        advancing(world, Duration.ofMillis(50), claiming::isDone);

        assertThat((StoreException) claiming.failure())
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
        until(() -> record().state() == State.RELEASED);
    }

    @Test
    void a_claim_whose_reply_was_lost_after_its_asker_had_given_up_is_given_back_too() {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, (rows, call) -> {
            gate.pass();
            return ScriptedStore.replyLost().apply(rows, call);
        });
        var claiming = Background.run(() -> claimer.acquire(ask("one euro"), terms(TakeOver.HOLD)));
        gate.awaitArrival();
        world.advance(PATIENCE.plusMillis(100));
        assertThat(claiming.failure()).isInstanceOf(StoreException.class);
        until(() -> !world.store.asked(Verb.FIND).isEmpty());

        gate.open();

        until(() -> world.record("pay", "k").isPresent() && record().state() == State.RELEASED);
    }

    @Test
    void giving_back_waits_for_a_lock_that_someone_has_on_the_record() {
        world.store.next(Verb.CLAIM, ScriptedStore.replyLost());
        world.store.always(Verb.CLAIM, ScriptedStore.away());
        world.store.next(Verb.WRITE, (rows, call) -> {
            throw RowRejectedException.locked("locked", null);
        });
        var claiming = Background.run(() -> claimer.acquire(ask("one euro"), terms(TakeOver.HOLD)));

        advancing(world, Duration.ofMillis(50), claiming::isDone);
        claiming.failure();

        advancing(world, Duration.ofMillis(50), () -> record().state() == State.RELEASED);
    }

    @Test
    void a_takeover_whose_reply_was_lost_for_good_is_given_back_too() {
        bringTo(State.RELEASED);
        world.store.next(Verb.CLAIM, ScriptedStore.replyLost());
        world.store.always(Verb.CLAIM, ScriptedStore.away());
        var claiming = Background.run(() -> claimer.acquire(ask("one euro"), terms(TakeOver.HOLD)));
        until(() -> record().state() == State.IN_PROGRESS);

        advancing(world, Duration.ofMillis(50), claiming::isDone);

        claiming.failure();
        until(() -> record().state() == State.RELEASED);
        assertThat(record().fence()).isEqualTo(2);
    }

    @Test
    void giving_back_a_claim_of_ones_own_never_touches_that_of_someone_else() {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.requestLost(), ScriptedStore.held(gate));
        var claiming = Background.run(() -> claim("one euro"));
        advancing(world, Duration.ofMillis(5), gate::hasArrived);
        world.memory.claim(List.of(ClaimRequest.of(
                ask("one euro").identity(),
                ask("one euro").fingerprint(),
                UUID.randomUUID(),
                LEASE,
                TakeOver.HOLD,
                Retention.FOREVER)));

        world.advance(PATIENCE);
        claiming.failure();
        until(() -> !world.store.asked(Verb.FIND).isEmpty());
        gate.open();

        assertThat(record().state()).isEqualTo(State.IN_PROGRESS);
        assertThat(world.store.asked(Verb.WRITE)).isEmpty();
    }
}
