package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.OutcomeUnknownException;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** After the work: the outcome is stored before anyone is answered, and a runner that lost its claim has no answer of its own. */
class SavingTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final Refrain elsewhere = world.process();
    private final AtomicInteger effects = new AtomicInteger();

    private Leased<String> pay(TakeOver takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private Leased<String> payElsewhere(TakeOver takeOver) {
        return elsewhere.operation("pay", String.class).leased(takeOver);
    }

    private String charge() {
        return "paid " + effects.incrementAndGet();
    }

    private State state() {
        return world.state("pay", "key-1");
    }

    @Test
    void nobody_is_answered_before_the_outcome_is_stored() {
        var gate = new Gate();
        world.store.next(Verb.WRITE, ScriptedStore.held(gate));
        var first = Background.run(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()));
        gate.awaitArrival();
        first.parked();
        assertThat(effects).hasValue(1);

        gate.open();

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(State.COMPLETED);
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void saving_is_tried_again_while_the_lease_lives(TakeOver takeOver) {
        world.store.always(Verb.WRITE, ScriptedStore.away());
        var first = Background.run(() -> pay(takeOver).run(SCOPE, "key-1", "x", claim -> charge()));
        advancing(
                world,
                Duration.ofMillis(100),
                () -> world.store.asked(Verb.WRITE).size() > 20);
        assertThat(first.isDone()).isFalse();

        world.store.heal();
        advancing(world, Duration.ofMillis(100), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(pay(takeOver).run(SCOPE, "key-1", "x", claim -> charge())).isEqualTo("paid 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void a_completion_whose_reply_was_lost_counts_once_and_is_answered() {
        world.store.next(Verb.WRITE, ScriptedStore.replyLost());
        var first = Background.run(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()));

        advancing(world, Duration.ofMillis(5), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isEqualTo("paid 1");
    }

    @Test
    void a_refusal_that_passes_within_the_lease_costs_nothing_but_time() {
        world.store.next(Verb.WRITE, ScriptedStore.refused(), ScriptedStore.broken(), ScriptedStore.refused());
        var first = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()));

        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void a_lock_in_the_way_is_waited_out() {
        world.store.next(Verb.WRITE, (rows, call) -> {
            throw RowRejectedException.locked("someone has the row", null);
        });
        var first = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()));

        advancing(world, Duration.ofMillis(50), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
    }

    @Test
    void a_store_that_only_refuses_is_not_asked_for_longer_than_a_lease_although_it_lets_leases_be_renewed() {
        world.store.always(Verb.WRITE, ScriptedStore.refused());
        var first = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()));

        advancing(world, Duration.ofSeconds(1), first::isDone);

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isLessThan(LEASE.multipliedBy(2));
    }

    @Test
    void what_could_neither_be_stored_nor_read_back_is_unknown_and_a_retry_finds_out() {
        world.store.always(Verb.WRITE, ScriptedStore.away());
        world.store.always(Verb.RENEW, ScriptedStore.away());
        var first = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()));

        advancing(world, Duration.ofMillis(200), first::isDone);

        var id = world.record("pay", "key-1").orElseThrow().id();
        assertThat(first.failure())
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        e -> assertThat(e.recordId()).isEqualTo(id))
                .hasMessageContaining("retry under the same key");
        assertThat(world.events.only(Event.OutcomeUnknown.class)).isEqualTo(new Event.OutcomeUnknown("pay", id));
        world.store.heal();
        // A renewal may have been on its way.
        world.advance(LEASE.plusSeconds(1));
        assertThatThrownBy(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(AttentionException.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void an_outcome_the_store_cannot_hold_leaves_the_state_and_never_frees_the_key() {
        world.store.next(Verb.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("no such bytes here: paid 1", null);
        });

        assertThat(pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isEqualTo("paid 1");
        assertThatThrownBy(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(world.events.only(Event.OutcomeNotKept.class).reason()).isEqualTo("The store cannot hold it.");
    }

    @Test
    void a_store_that_can_hold_not_even_the_state_makes_the_outcome_unknown() {
        world.store.always(Verb.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("never", null);
        });

        assertThatThrownBy(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    /** The first runner's process stands still beyond its lease: the store's clock goes on, its own does not. */
    private Background<String> stalled(Leased<String> operation, Gate gate, Work<String, Exception> rest) {
        var first = Background.run(() -> operation.run(SCOPE, "key-1", "x", claim -> {
            gate.pass();
            return rest.run(claim);
        }));
        gate.awaitArrival();
        world.clock.advance(LEASE.plusSeconds(1));
        return first;
    }

    @Test
    void a_runner_that_was_taken_over_answers_with_the_stored_outcome_and_not_with_its_own() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.RESUME), gate, claim -> "my own");
        assertThat(payElsewhere(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> "theirs"))
                .isEqualTo("theirs");

        gate.open();

        assertThat(first.get()).isEqualTo("theirs");
        assertThat(pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isEqualTo("theirs");
        assertThat(world.events.only(Event.FencedOut.class).fence()).isEqualTo(1);
    }

    @Test
    void a_runner_that_was_taken_over_waits_for_the_one_who_runs_now() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.RESUME), gate, claim -> "my own");
        var second = new Gate();
        var taker = Background.run(() -> payElsewhere(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
            second.pass();
            return "theirs";
        }));
        second.awaitArrival();
        gate.open();
        world.events.await(Event.FencedOut.class);
        first.parked();

        second.open();
        taker.get();
        advancing(world, Duration.ofMillis(20), first::isDone);

        assertThat(first.get()).isEqualTo("theirs");
    }

    @Test
    void a_runner_that_failed_after_it_was_taken_over_answers_with_the_stored_outcome_and_touches_nothing() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.RESUME), gate, claim -> {
            throw new IOException("timed out");
        });
        payElsewhere(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> "theirs");

        gate.open();

        assertThat(first.get()).isEqualTo("theirs");
        assertThat(state()).isEqualTo(State.COMPLETED);
        assertThat(world.events.of(Event.Released.class)).isEmpty();
        assertThat(world.events.of(Event.FencedOut.class)).hasSize(1);
    }

    @Test
    void a_runner_that_failed_while_another_one_runs_does_not_free_that_ones_claim() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.RESUME), gate, claim -> {
            throw new IOException("timed out");
        });
        var second = new Gate();
        var taker = Background.run(() -> payElsewhere(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
            second.pass();
            return "theirs";
        }));
        second.awaitArrival();

        gate.open();

        assertThat(first.failure()).isInstanceOf(IOException.class);
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        assertThatThrownBy(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(InProgressException.class);
        second.open();
        assertThat(taker.get()).isEqualTo("theirs");
    }

    @Test
    void a_runner_whose_claim_was_released_meanwhile_does_not_know_and_leaves_the_turn_to_others() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.RESUME), gate, claim -> "my own");
        world.memory.sweep(Duration.ZERO, 100);
        assertThat(state()).isEqualTo(State.RELEASED);

        gate.open();
        advancing(world, Duration.ofMillis(20), first::isDone);

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(payElsewhere(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> "theirs"))
                .isEqualTo("theirs");
    }

    @Test
    void a_late_runner_whose_record_went_to_attention_still_completes_it() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.HOLD), gate, claim -> charge());
        assertThatThrownBy(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(AttentionException.class);

        gate.open();

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(State.COMPLETED);
        assertThat(pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> charge()))
                .isEqualTo("paid 1");
    }

    @Test
    void a_late_runner_whose_record_a_person_resolved_answers_as_they_decided() {
        var gate = new Gate();
        var first = stalled(pay(TakeOver.HOLD), gate, claim -> "my own");
        world.memory.sweep(Duration.ZERO, 100);
        var item = refrain.admin().listAttention(Optional.empty(), 10).getFirst();
        refrain.admin()
                .resolve(
                        item.claim(),
                        Outcome.Answer.of(200, "\"as the bank says\"".getBytes(StandardCharsets.UTF_8)),
                        "ops",
                        "asked the bank");

        gate.open();

        assertThat(first.get()).isEqualTo("as the bank says");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void interrupting_the_caller_while_it_saves_does_not_lose_the_outcome(boolean storeAway) {
        var gate = new Gate();
        world.store.next(Verb.WRITE, (rows, call) -> {
            gate.pass();
            if (storeAway) {
                throw StoreException.unavailable("away", Effect.NONE, null);
            }
            return call.get();
        });
        var first = Background.run(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()));
        gate.awaitArrival();

        first.parked().interrupt();
        first.parked();
        gate.open();
        advancing(world, Duration.ofMillis(5), first::isDone);

        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void a_failure_that_could_not_be_released_reaches_the_caller_and_is_left_to_the_lease() {
        world.store.always(Verb.WRITE, ScriptedStore.away());
        world.store.always(Verb.RENEW, ScriptedStore.away());
        var first = Background.run(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
            throw new IOException("no route");
        }));

        advancing(world, Duration.ofMillis(200), first::isDone);

        assertThat(first.failure()).isInstanceOf(IOException.class);
        world.store.heal();
        // A renewal may have been on its way.
        world.advance(LEASE.plusSeconds(1));
        assertThat(pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge()))
                .isEqualTo("paid 1");
    }

    @Test
    void a_failure_that_could_not_be_kept_reaches_the_caller_with_the_reason_beside_it() {
        world.store.always(Verb.WRITE, ScriptedStore.away());
        world.store.always(Verb.RENEW, ScriptedStore.away());
        var first = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> {
            throw new IOException("no route");
        }));

        advancing(world, Duration.ofMillis(200), first::isDone);

        assertThat(first.failure()).isInstanceOf(IOException.class);
        assertThat(first.failure().getSuppressed()).singleElement().isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void every_write_names_the_record_and_the_fence() {
        assertThatThrownBy(() -> pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        pay(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> charge());

        var id = world.record("pay", "key-1").orElseThrow().id();
        until(() -> world.store.asked(Verb.WRITE).size() == 2);
        assertThat(world.store.asked(Verb.WRITE).stream().flatMap(List::stream).map(w -> ((Write) w).claim()))
                .extracting(c -> c.id().equals(id) ? c.fence() : -1)
                .containsExactly(1L, 2L);
    }
}
