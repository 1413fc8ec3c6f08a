package dev.refrain;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.claim.Claim;
import dev.refrain.observe.Event;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slow handler is not taken over and a dead one is. */
class LeaseTest {

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final Gate gate = new Gate();
    private final AtomicReference<Claim> claim = new AtomicReference<>();

    private Background<String> slow(Leased<String> operation) {
        var first = Background.run(() -> operation.run(SCOPE, "key-1", "x", c -> {
            claim.set(c);
            gate.pass();
            return "paid " + effects.incrementAndGet();
        }));
        gate.awaitArrival();
        return first;
    }

    private Leased<String> pay() {
        return refrain.operation("pay", String.class).leased(TakeOver.RESUME);
    }

    private int renewals() {
        return world.store.asked(Verb.RENEW).size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT30S", "PT2S", "PT0.3S", "PT0.003S"})
    void while_the_work_runs_its_lease_is_renewed_and_no_twin_takes_over(String lease) {
        var length = Duration.parse(lease);
        var operation = refrain.operation("pay", String.class).lease(length).leased(TakeOver.RESUME);
        var first = slow(operation);
        var elsewhere =
                world.process().operation("pay", String.class).lease(length).leased(TakeOver.RESUME);

        for (int i = 0; i < 10; i++) {
            world.advance(length.dividedBy(2));
            assertThatThrownBy(() -> elsewhere.run(SCOPE, "key-1", "x", c -> "twin"))
                    .isInstanceOf(InProgressException.class);
        }
        assertThat(claim.get().isLost()).isFalse();

        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(effects).hasValue(1);
        assertThat(world.record("pay", "key-1").orElseThrow().fence()).isEqualTo(1);
    }

    @Test
    void once_the_work_is_done_nothing_is_renewed_any_more() {
        var first = slow(pay());
        world.advance(Duration.ofSeconds(11));
        gate.open();
        first.get();
        until(() -> renewals() > 0);
        int before = renewals();

        world.advance(Duration.ofMinutes(5));

        assertThat(renewals()).isEqualTo(before);
    }

    @Test
    void a_process_that_died_renews_nothing_and_a_retry_takes_over_after_its_lease() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var first = slow(died.operation("pay", String.class).leased(TakeOver.RESUME));
        var keyOfTheDead = claim.get().derivedKey("charge");

        world.advance(Duration.ofSeconds(29));
        assertThatThrownBy(() -> pay().run(SCOPE, "key-1", "x", c -> "too early"))
                .isInstanceOf(InProgressException.class);
        world.advance(Duration.ofSeconds(1));
        assertThat(pay().run(SCOPE, "key-1", "x", c -> c.derivedKey("charge"))).isEqualTo(keyOfTheDead);

        gate.open();
        assertThat(first.get()).as("the dead answers like the living").isEqualTo(keyOfTheDead);
    }

    @Test
    void with_hold_what_a_dead_process_left_goes_to_attention() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var first = slow(died.operation("pay", String.class).leased(TakeOver.HOLD));
        world.advance(Duration.ofSeconds(30));

        assertThatThrownBy(() -> refrain.operation("pay", String.class)
                        .leased(TakeOver.HOLD)
                        .run(SCOPE, "key-1", "x", c -> "twice"))
                .isInstanceOfSatisfying(
                        AttentionException.class,
                        e -> assertThat(e.claim())
                                .isEqualTo(world.record("pay", "key-1")
                                        .orElseThrow()
                                        .claim()));
        gate.open();
        first.get();
    }

    @Test
    void a_listener_that_takes_its_time_holds_up_no_timer() {
        var heardOn = new AtomicReference<String>();
        var heard = world.process(world.settings().with(event -> {
            if (event instanceof Event.Overran) {
                heardOn.set(Thread.currentThread().getName());
            }
        }));
        var first = slow(heard.operation("pay", String.class)
                .maxRunTime(Duration.ofSeconds(30))
                .leased(TakeOver.RESUME));

        advancing(world, Duration.ofSeconds(1), () -> heardOn.get() != null);

        assertThat(heardOn.get()).as("the thread, not that of the timers").isEqualTo("refrain-heartbeat");
        gate.open();
        first.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT30S", "PT2S"})
    void a_renewal_for_which_there_was_no_thread_is_tried_again(String lease) {
        var length = Duration.parse(lease);
        var refused = new AtomicInteger();
        var first = slow(world.process(world.settings().with(withoutThreadAtFirst(refused)))
                .operation("pay", String.class)
                .lease(length)
                .leased(TakeOver.RESUME));

        for (int i = 0; i < 10; i++) {
            world.advance(length.dividedBy(4));
        }

        assertThat(refused).hasValue(1);
        assertThatThrownBy(() -> pay().run(SCOPE, "key-1", "x", c -> "twin")).isInstanceOf(InProgressException.class);
        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
    }

    /** As the real timers do, it does not end with a task that fails. */
    private Environment withoutThreadAtFirst(AtomicInteger refused) {
        return new Environment() {
            @Override
            public long nanoTime() {
                return world.environment.nanoTime();
            }

            @Override
            public void startThread(String name, Runnable body) {
                if (name.equals("refrain-heartbeat") && refused.compareAndSet(0, 1)) {
                    throw new OutOfMemoryError("no thread");
                }
                world.environment.startThread(name, body);
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                return world.environment.schedule(delay, () -> {
                    try {
                        task.run();
                    } catch (OutOfMemoryError contained) {
                        assertThat(contained).hasMessage("no thread");
                    }
                });
            }

            @Override
            public UUID newNonce() {
                return world.environment.newNonce();
            }
        };
    }

    @Test
    void after_the_maximum_run_time_the_lease_is_no_longer_renewed() {
        var operation = refrain.operation("pay", String.class)
                .maxRunTime(Duration.ofMinutes(1))
                .leased(TakeOver.RESUME);
        var first = slow(operation);

        advancing(
                world,
                Duration.ofSeconds(1),
                () -> !world.events.of(Event.Overran.class).isEmpty());
        world.advance(Duration.ofSeconds(30));

        assertThat(world.events.only(Event.Overran.class).ran())
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
        assertThat(claim.get().isLost()).isTrue();
        assertThat(operation.run(SCOPE, "key-1", "x", c -> "taken over")).isEqualTo("taken over");
        gate.open();
        assertThat(first.get()).isEqualTo("taken over");
    }

    @Test
    void a_runner_that_was_taken_over_learns_it_from_its_next_renewal() {
        var first = slow(pay());
        world.clock.advance(Duration.ofSeconds(31));
        assertThat(world.process()
                        .operation("pay", String.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "key-1", "x", c -> "theirs"))
                .isEqualTo("theirs");
        assertThat(claim.get().isLost()).isFalse();

        world.environment.advance(Duration.ofSeconds(11));

        until(() -> claim.get().isLost());
        gate.open();
        assertThat(first.get()).isEqualTo("theirs");
    }

    @Test
    void a_lease_that_cannot_be_renewed_for_now_is_renewed_when_the_store_is_back() {
        var first = slow(pay());
        world.store.always(Verb.RENEW, ScriptedStore.away());
        advancing(world, Duration.ofMillis(500), () -> renewals() > 3);
        assertThat(world.record("pay", "key-1").orElseThrow().remainingLease()).isLessThan(Duration.ofSeconds(25));

        world.store.heal();
        advancing(
                world,
                Duration.ofMillis(50),
                () -> world.record("pay", "key-1").orElseThrow().remainingLease().compareTo(Duration.ofSeconds(29)) > 0);

        assertThat(claim.get().isLost()).isFalse();
        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
    }

    @Test
    void what_is_due_together_is_renewed_together() {
        var gates = IntStream.range(0, 50).mapToObj(i -> new Gate()).toList();
        var running = new ArrayList<Background<String>>();
        for (int i = 0; i < 50; i++) {
            var own = gates.get(i);
            String key = "key-" + i;
            running.add(Background.run(() -> pay().run(SCOPE, key, "x", c -> {
                own.pass();
                return "done";
            })));
        }
        gates.forEach(Gate::awaitArrival);

        var first = new Gate();
        world.store.next(Verb.RENEW, ScriptedStore.held(first));
        world.advance(Duration.ofSeconds(10).plusMillis(500));
        first.awaitArrival();
        first.open();
        until(() -> world.store.asked(Verb.RENEW).stream().mapToInt(List::size).sum() == 50);

        assertThat(renewals()).isLessThan(5);
        gates.forEach(Gate::open);
        running.forEach(Background::get);
    }

    @Test
    void derived_keys_are_the_same_after_release_takeover_and_crash_and_new_after_expiry() {
        var keys = new ArrayList<String>();
        Work<String, IllegalStateException> failing = c -> {
            keys.add(c.derivedKey("charge"));
            throw new IllegalStateException("again");
        };
        assertThatThrownBy(() -> pay().run(SCOPE, "key-1", "x", failing)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> world.process()
                        .operation("pay", String.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "key-1", "x", failing))
                .isInstanceOf(IllegalStateException.class);
        // A crash: nothing is written after the claim.
        world.store.next(Verb.WRITE, (rows, call) -> {
            assertThat(rows).hasOnlyElementsOfType(Write.Release.class);
            return List.of(new WriteAnswer.Written());
        });
        assertThatThrownBy(() -> pay().run(SCOPE, "key-1", "x", failing)).isInstanceOf(IllegalStateException.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(State.IN_PROGRESS);
        world.advance(Duration.ofSeconds(31));
        pay().run(SCOPE, "key-1", "x", c -> {
            keys.add(c.derivedKey("charge"));
            return "paid";
        });
        assertThat(keys).hasSize(4).containsOnly(keys.getFirst()).doesNotContain("key-1");

        world.clock.advance(Duration.ofHours(25));
        pay().run(SCOPE, "key-1", "x", c -> {
            keys.add(c.derivedKey("charge"));
            return "paid";
        });
        assertThat(keys.getLast()).isNotEqualTo(keys.getFirst());
    }
}
