package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AsyncRun;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.Claim;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
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
class LeaseRenewalTest {

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final ThreadGate gate = new ThreadGate();
    private final AtomicReference<Claim> claim = new AtomicReference<>();

    private BackgroundCall<String> slow(LeasedOperation<String> operation) {
        var first = BackgroundCall.run(
                () -> operation.run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> {
                    claim.set(c);
                    gate.pass();
                    return "paid " + effects.incrementAndGet();
                }));
        gate.awaitArrival();
        return first;
    }

    private LeasedOperation<String> pay() {
        return refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
    }

    private int renewals() {
        return world.store.asked(StoreMethod.RENEW).size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT30S", "PT2S", "PT0.3S", "PT0.003S"})
    void whileTheWorkRunsItsLeaseIsRenewedAndNoTwinTakesOver(String lease) {
        var length = Duration.parse(lease);
        var operation = refrain.operation("pay", String.class).lease(length).leased(LeaseExpiryPolicy.RESUME);
        var first = slow(operation);
        var elsewhere =
                world.process().operation("pay", String.class).lease(length).leased(LeaseExpiryPolicy.RESUME);

        for (int i = 0; i < 10; i++) {
            world.advance(length.dividedBy(2));
            assertThatThrownBy(() -> elsewhere.run(
                            OperationCall.scope(SCOPE).key("key-1").request("x"), c -> "twin"))
                    .isInstanceOf(InProgressException.class);
        }
        assertThat(claim.get().isLost()).isFalse();

        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(effects).hasValue(1);
        assertThat(world.record("pay", "key-1").orElseThrow().fence()).isEqualTo(1);
    }

    @Test
    void onceTheWorkIsDoneNothingIsRenewedAnyMore() {
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
    void processThatDiedRenewsNothingAndARetryTakesOverAfterItsLease() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var first = slow(died.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME));
        var keyOfTheDead = claim.get().derivedKey("charge");

        world.advance(Duration.ofSeconds(29));
        assertThatThrownBy(
                        () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> "too early"))
                .isInstanceOf(InProgressException.class);
        world.advance(Duration.ofSeconds(1));
        assertThat(pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> c.derivedKey("charge")))
                .isEqualTo(keyOfTheDead);

        gate.open();
        assertThat(first.get()).as("the dead answers like the living").isEqualTo(keyOfTheDead);
    }

    @Test
    void withHoldWhatADeadProcessLeftGoesToAttention() {
        var died = world.process(world.settings().with(new ManualEnvironment()));
        var first = slow(died.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD));
        world.advance(Duration.ofSeconds(30));

        assertThatThrownBy(() -> refrain.operation("pay", String.class)
                        .leased(LeaseExpiryPolicy.HOLD)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> "twice"))
                .isInstanceOfSatisfying(
                        AttentionRequiredException.class,
                        e -> assertThat(e.claim())
                                .isEqualTo(world.record("pay", "key-1")
                                        .orElseThrow()
                                        .claim()));
        gate.open();
        first.get();
    }

    @Test
    void listenerThatTakesItsTimeHoldsUpNoTimer() {
        var heardOn = new AtomicReference<String>();
        var heard = world.process(world.settings().with(event -> {
            if (event instanceof RefrainEvent.MaxRunTimeExceeded) {
                heardOn.set(Thread.currentThread().getName());
            }
        }));
        var first = slow(heard.operation("pay", String.class)
                .maxRunTime(Duration.ofSeconds(30))
                .leased(LeaseExpiryPolicy.RESUME));

        advancing(world, Duration.ofSeconds(1), () -> heardOn.get() != null);

        assertThat(heardOn.get()).as("the thread, not that of the timers").isEqualTo("refrain-heartbeat");
        gate.open();
        first.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT30S", "PT2S"})
    void renewalForWhichThereWasNoThreadIsTriedAgain(String lease) {
        var length = Duration.parse(lease);
        var refused = new AtomicInteger();
        var first = slow(world.process(world.settings().with(withoutThreadAtFirst(refused)))
                .operation("pay", String.class)
                .lease(length)
                .leased(LeaseExpiryPolicy.RESUME));

        for (int i = 0; i < 10; i++) {
            world.advance(length.dividedBy(4));
        }

        assertThat(refused).hasValue(1);
        assertThatThrownBy(
                        () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> "twin"))
                .isInstanceOf(InProgressException.class);
        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
    }

    /** As the real timers do, it does not end with a task that fails. */
    private ExecutionEnvironment withoutThreadAtFirst(AtomicInteger refused) {
        return new ExecutionEnvironment() {
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
    void afterTheMaximumRunTimeTheLeaseIsNoLongerRenewed() {
        var operation = refrain.operation("pay", String.class)
                .maxRunTime(Duration.ofMinutes(1))
                .leased(LeaseExpiryPolicy.RESUME);
        var first = slow(operation);

        advancing(
                world,
                Duration.ofSeconds(1),
                () -> !world.events.of(RefrainEvent.MaxRunTimeExceeded.class).isEmpty());
        world.advance(Duration.ofSeconds(30));

        assertThat(world.events.only(RefrainEvent.MaxRunTimeExceeded.class).ran())
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
        assertThat(claim.get().isLost()).isTrue();
        assertThat(operation.run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> "taken over"))
                .isEqualTo("taken over");
        gate.open();
        assertThat(first.get()).isEqualTo("taken over");
    }

    @Test
    void runPastItsMaximumRunTimeIsReportedOnceAndItsLateOutcomeIsStored() {
        var told = new AtomicInteger();
        var call = OperationCall.scope(SCOPE).key("key-1").request("x");
        var operation =
                refrain.operation("pay").maxRunTime(Duration.ofMinutes(1)).leased(LeaseExpiryPolicy.HOLD);
        var run = (AsyncRun) operation.startAsync(call);
        run.onMaxRunTimeExceeded(told::incrementAndGet);

        world.advance(Duration.ofSeconds(59));
        assertThat(told).hasValue(0);
        advancing(world, Duration.ofSeconds(1), () -> told.get() > 0);
        world.advance(Duration.ofSeconds(20));
        run.onMaxRunTimeExceeded(told::incrementAndGet);
        until(() -> told.get() == 2);

        run.complete(Outcome.Answer.of(201, new byte[0]));
        run.onMaxRunTimeExceeded(() -> told.addAndGet(100));
        assertThat(world.record("pay", "key-1").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(told).hasValue(2);
    }

    @Test
    void runnerThatWasTakenOverLearnsItFromItsNextRenewal() {
        var first = slow(pay());
        world.clock.advance(Duration.ofSeconds(31));
        assertThat(world.process()
                        .operation("pay", String.class)
                        .leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> "theirs"))
                .isEqualTo("theirs");
        assertThat(claim.get().isLost()).isFalse();

        world.environment.advance(Duration.ofSeconds(11));

        until(() -> claim.get().isLost());
        gate.open();
        assertThat(first.get()).isEqualTo("theirs");
    }

    @Test
    void leaseThatCannotBeRenewedForNowIsRenewedWhenTheStoreIsBack() {
        var first = slow(pay());
        world.store.always(StoreMethod.RENEW, ScriptedStore.away());
        advancing(world, Duration.ofMillis(500), () -> renewals() > 3);
        assertThat(world.record("pay", "key-1").orElseThrow().remainingLease()).isLessThan(Duration.ofSeconds(25));

        world.store.heal();
        advancing(
                world,
                Duration.ofMillis(50),
                () -> world.record("pay", "key-1")
                                .orElseThrow()
                                .remainingLease()
                                .compareTo(Duration.ofSeconds(29))
                        > 0);

        assertThat(claim.get().isLost()).isFalse();
        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
    }

    @Test
    void renewalsDueTogetherAreSentTogether() {
        var gates = IntStream.range(0, 50).mapToObj(i -> new ThreadGate()).toList();
        var running = new ArrayList<BackgroundCall<String>>();
        for (int i = 0; i < 50; i++) {
            var own = gates.get(i);
            String key = "key-" + i;
            running.add(BackgroundCall.run(
                    () -> pay().run(OperationCall.scope(SCOPE).key(key).request("x"), c -> {
                        own.pass();
                        return "done";
                    })));
        }
        gates.forEach(ThreadGate::awaitArrival);

        var first = new ThreadGate();
        world.store.next(StoreMethod.RENEW, ScriptedStore.held(first));
        world.advance(Duration.ofSeconds(10).plusMillis(500));
        first.awaitArrival();
        first.open();
        until(() -> world.store.asked(StoreMethod.RENEW).stream()
                        .mapToInt(List::size)
                        .sum()
                == 50);

        assertThat(renewals()).isLessThan(5);
        gates.forEach(ThreadGate::open);
        running.forEach(BackgroundCall::get);
    }

    @Test
    void derivedKeysAreTheSameAfterReleaseTakeoverAndCrashAndNewAfterExpiry() {
        var keys = new ArrayList<String>();
        LeasedWork<String, IllegalStateException> failing = c -> {
            keys.add(c.derivedKey("charge"));
            throw new IllegalStateException("again");
        };
        assertThatThrownBy(
                        () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), failing))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> world.process()
                        .operation("pay", String.class)
                        .leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), failing))
                .isInstanceOf(IllegalStateException.class);
        // A crash: nothing is written after the claim.
        world.store.next(StoreMethod.WRITE, (rows, call) -> {
            assertThat(rows).hasOnlyElementsOfType(RecordWrite.Release.class);
            return List.of(new RecordWriteResponse.Written());
        });
        assertThatThrownBy(
                        () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), failing))
                .isInstanceOf(IllegalStateException.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.IN_PROGRESS);
        world.advance(Duration.ofSeconds(31));
        pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> {
            keys.add(c.derivedKey("charge"));
            return "paid";
        });
        assertThat(keys).hasSize(4).containsOnly(keys.getFirst()).doesNotContain("key-1");

        world.clock.advance(Duration.ofHours(25));
        pay().run(OperationCall.scope(SCOPE).key("key-1").request("x"), c -> {
            keys.add(c.derivedKey("charge"));
            return "paid";
        });
        assertThat(keys.getLast()).isNotEqualTo(keys.getFirst());
    }
}
