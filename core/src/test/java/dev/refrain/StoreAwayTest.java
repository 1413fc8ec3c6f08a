package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** If the store can't be asked, nothing runs, unless the operation fails open, and then loudly. */
class StoreAwayTest {

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();

    private Background<String> run(Leased<String> operation) {
        return Background.run(() -> operation.run(SCOPE, "key-1", "x", claim -> "ran " + effects.incrementAndGet()));
    }

    private Operation<String> pay() {
        return refrain.operation("pay", String.class).storeTimeout(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void nothing_runs_while_the_store_is_away_and_the_caller_is_told_within_its_patience(TakeOver takeOver) {
        world.store.always(Verb.CLAIM, ScriptedStore.away());
        var call = run(pay().leased(takeOver));

        advancing(world, Duration.ofMillis(50), call::isDone);

        assertThat(call.failure())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .hasMessageContaining("The store is away.");
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isLessThan(Duration.ofSeconds(4));
        assertThat(effects).hasValue(0);
    }

    @Test
    void a_store_that_comes_back_within_the_patience_is_not_noticed() {
        world.store.next(Verb.CLAIM, ScriptedStore.away(), ScriptedStore.requestLost(), ScriptedStore.replyLost());
        var call = run(pay().leased(TakeOver.RESUME));

        advancing(world, Duration.ofMillis(5), call::isDone);

        assertThat(call.get()).isEqualTo("ran 1");
        assertThat(world.record("pay", "key-1").orElseThrow().fence()).isEqualTo(1);
    }

    @Test
    void a_claim_that_came_too_late_for_its_caller_is_given_back_and_a_retry_runs_at_once() {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.replyHeld(gate));
        var call = run(pay().leased(TakeOver.HOLD));
        gate.awaitArrival();
        world.advance(Duration.ofSeconds(3));
        assertThat(call.failure())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));

        gate.open();

        until(() -> world.state("pay", "key-1") == State.RELEASED);
        assertThat(run(pay().leased(TakeOver.HOLD)).get()).isEqualTo("ran 1");
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void a_claim_whose_reply_took_longer_than_its_lease_is_not_run_under(TakeOver takeOver) {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.replyHeld(gate));
        var call = run(pay().lease(Duration.ofSeconds(1)).leased(takeOver));
        gate.awaitArrival();
        world.advance(Duration.ofMillis(1_500));

        gate.open();

        assertThat(call.failure())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("only after the lease was over. Nothing ran");
        assertThat(effects).hasValue(0);
        assertThat(world.state("pay", "key-1")).isEqualTo(State.RELEASED);
    }

    @Test
    void an_operation_that_fails_open_runs_unprotected_and_every_such_run_is_told() {
        world.store.always(Verb.CLAIM, ScriptedStore.away());
        var open = pay().failOpen().leased(TakeOver.RESUME);
        for (int i = 1; i <= 2; i++) {
            var call = run(open);
            advancing(world, Duration.ofMillis(50), call::isDone);
            assertThat(call.get()).isEqualTo("ran " + i);
        }

        assertThat(world.events.of(Event.FailedOpen.class)).hasSize(2).allSatisfy(e -> {
            assertThat(e.operation()).isEqualTo("pay");
            assertThat(e.cause()).hasMessageContaining("away");
        });
        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void unprotected_runs_of_one_key_send_the_same_derived_keys_and_not_the_clients() {
        world.store.always(Verb.CLAIM, ScriptedStore.refused());
        var open = pay().failOpen().leased(TakeOver.RESUME);
        var keys = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            open.run(SCOPE, "key-1", "x", claim -> {
                keys.add(claim.derivedKey("charge"));
                claim.keepStateOnly("steering counts for nothing here");
                assertThat(claim.isLost()).isFalse();
                return "ran";
            });
        }
        open.run(SCOPE, "key-2", "x", claim -> {
            keys.add(claim.derivedKey("charge"));
            return "ran";
        });

        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2)).doesNotContain("key-1");
    }

    @Test
    void failing_open_what_the_work_throws_is_thrown() {
        world.store.always(Verb.CLAIM, ScriptedStore.refused());

        assertThatThrownBy(() -> pay().failOpen().leased(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> {
                    throw new IllegalStateException("boom");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_row_that_the_store_refuses_or_someone_has_locked_is_not_a_store_that_is_away() {
        var open = pay().failOpen().leased(TakeOver.RESUME);
        for (var why : new RowRejectedException[] {
            RowRejectedException.badData("another identity has it", null), RowRejectedException.locked("locked", null)
        }) {
            world.store.next(Verb.CLAIM, (rows, call) -> {
                throw why;
            });
            assertThat(run(open).failure()).isSameAs(why);
        }
        assertThat(effects).hasValue(0);
        assertThat(world.events.of(Event.FailedOpen.class)).isEmpty();
    }

    @Test
    void whoever_saw_the_work_running_does_not_run_it_as_well_because_the_store_then_goes_away() {
        var gate = new Gate();
        var open = pay().failOpen().waitForOutcome(Duration.ofSeconds(5)).leased(TakeOver.RESUME);
        var first = Background.run(() -> open.run(SCOPE, "key-1", "x", claim -> {
            gate.pass();
            throw new IllegalStateException("and it fails");
        }));
        gate.awaitArrival();
        var waiter = run(open).parked();
        world.store.always(Verb.CLAIM, ScriptedStore.refused());

        gate.open();

        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(waiter.failure()).isInstanceOf(InProgressException.class);
        assertThat(effects).hasValue(0);
    }
}
