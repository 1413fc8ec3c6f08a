package dev.refrain.internal.replay;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retries that wait for the one that runs. */
class WaiterRegistryTest extends WaiterTestBase {

    @Test
    void allWhoWaitInTheSameProcessAreWokenAtOnceAndGivenTheSameBytes() {
        var raw = refrain.operation("raw").waitWhileInFlight(LIMIT).leased(LeaseExpiryPolicy.RESUME);
        var gate = new ThreadGate();
        var answer = Outcome.Answer.of(201, new byte[] {0, 1, (byte) 0xFF});
        var first = BackgroundCall.run(
                () -> raw.runForResult(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    return answer;
                }));
        gate.awaitArrival();
        var waiting = BackgroundCall.run(
                50,
                () -> raw.runForResult(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> answer));
        waiting.forEach(BackgroundCall::parked);
        long before = world.environment.nanoTime();

        gate.open();

        assertThat(first.get()).isEqualTo(new OperationResult.Ran(answer));
        var id = world.record("raw", "key-1").orElseThrow().id();
        assertThat(waiting.stream().map(BackgroundCall::get))
                .containsOnly(new OperationResult.Replayed(id, answer, true));
        assertThat(world.environment.nanoTime()).as("no poll was needed").isEqualTo(before);
        until(() -> world.events.of(RefrainEvent.Waited.class).size() == 50);
    }

    @Test
    void waitersInAnotherProcessSeeItByOnePollForEachKey() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var elsewhere = pay(world.process(), LeaseExpiryPolicy.RESUME, LIMIT);
        var waiting = waiters(20, elsewhere);
        gate.open();
        first.get();

        advancing(world, Duration.ofMillis(20), () -> waiting.stream().allMatch(BackgroundCall::isDone));

        assertThat(waiting.stream().map(BackgroundCall::get)).containsOnly("paid 1");
        assertThat(world.store.asked(StoreMethod.FIND)).hasSizeLessThan(10).allMatch(rows -> rows.size() == 1);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void pollsAreRareHoweverLongItTakes() {
        var gate = new ThreadGate();
        var first = runner(pay(refrain, LeaseExpiryPolicy.RESUME, LIMIT), gate);
        var elsewhere = pay(world.process(), LeaseExpiryPolicy.RESUME, Duration.ofSeconds(60));
        var waiting = waiter(elsewhere);

        advancing(
                world,
                Duration.ofMillis(100),
                () -> world.environment.nanoTime() > Duration.ofSeconds(20).toNanos());

        assertThat(world.store.asked(StoreMethod.FIND)).hasSizeLessThan(30);
        gate.open();
        first.get();
        advancing(world, Duration.ofMillis(100), waiting::isDone);
        assertThat(waiting.get()).isEqualTo("paid 1");
    }

    @Test
    void waiterThatTimesOutSeesInProgressAndTheClaimStands() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiter(pay());

        advancing(world, Duration.ofMillis(100), waiting::isDone);

        assertThat(waiting.failure()).isInstanceOf(InProgressException.class);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isBetween(LIMIT, LIMIT.plusSeconds(1));
        gate.open();
        assertThat(first.get()).isEqualTo("paid 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void eachWaiterHasItsOwnDeadlineAlsoOneWhoCameBetweenTwoPolls() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var patient = waiter(pay(refrain, LeaseExpiryPolicy.RESUME, Duration.ofMinutes(5)));
        // Until the polls are a second apart.
        advancing(
                world,
                Duration.ofMillis(50),
                () -> world.store.asked(StoreMethod.FIND).size() >= 8);
        advancing(world, Duration.ofMillis(10), () -> world.environment.nanoTime() % 1_000_000_000L < 100_000_000L);
        long before = world.environment.nanoTime();
        var hasty = waiter(pay(refrain, LeaseExpiryPolicy.RESUME, Duration.ofMillis(50)));

        world.advance(Duration.ofMillis(50));

        assertThat(hasty.failure()).isInstanceOf(InProgressException.class);
        assertThat(world.environment.nanoTime() - before)
                .isEqualTo(Duration.ofMillis(50).toNanos());
        assertThat(patient.isDone()).isFalse();
        gate.open();
        first.get();
        assertThat(patient.get()).isEqualTo("paid 1");
    }

    @Test
    void storeThatIsSlowDoesNotMakeAWaiterWaitLongerThanItSaid() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        world.store.always(StoreMethod.FIND, ScriptedStore.away());
        var waiting = waiter(pay());

        advancing(world, Duration.ofMillis(10), waiting::isDone);

        assertThat(waiting.failure()).isInstanceOf(InProgressException.class);
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isBetween(LIMIT, LIMIT.plusMillis(200));
        gate.open();
        first.get();
    }

    @Test
    void differentRequestIsAMismatchWithoutWaiting() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);

        var unlike = BackgroundCall.run(
                () -> pay().run(OperationCall.scope(SCOPE).key("key-1").request("another request"), claim -> charge()));

        assertThat(unlike.failure()).isInstanceOf(RequestMismatchException.class);
        gate.open();
        first.get();
    }

    @Test
    void interruptDoesNotEndTheWaiting() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiter(pay());

        waiting.interrupt();
        waiting.parked();
        gate.open();

        assertThat(waiting.get()).isEqualTo("paid 1");
        first.get();
    }

    @Test
    void pollThatTheStoreRefusesDoesNotEndTheWaiting() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var elsewhere = pay(world.process(), LeaseExpiryPolicy.RESUME, LIMIT);
        world.store.next(StoreMethod.FIND, ScriptedStore.refused(), ScriptedStore.broken(), ScriptedStore.away());
        var waiting = waiter(elsewhere);
        gate.open();
        first.get();

        advancing(world, Duration.ofMillis(20), waiting::isDone);

        assertThat(waiting.get()).isEqualTo("paid 1");
        assertThat(world.events.of(RefrainEvent.StoreFailed.class)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void emptyRoomIsClosedAndKeepsNoTimer() {
        var gate = new ThreadGate();
        var first = runner(pay(), gate);
        var waiting = waiter(pay());
        gate.open();
        first.get();
        waiting.get();
        refrain.close(Duration.ZERO);

        advancing(world, Duration.ofMillis(100), () -> world.environment.alarms() == 0);
    }

    @Test
    void thousandsWaitOnVirtualThreadsOfRealTimeAndAllGetTheSameBytes() {
        var store = new MemoryStore();
        try (var here = Refrain.using(store, RefrainSettings.defaults());
                var there = Refrain.using(store, RefrainSettings.defaults())) {
            var gate = new ThreadGate();
            var first = runner(pay(here, LeaseExpiryPolicy.RESUME, LIMIT), gate);
            var waiting = new ArrayList<BackgroundCall<String>>();
            for (var process : List.of(here, there)) {
                var pay = pay(process, LeaseExpiryPolicy.RESUME, Duration.ofSeconds(20));
                waiting.addAll(BackgroundCall.run(
                        900,
                        () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge())));
            }
            until(() -> waiting.stream().noneMatch(BackgroundCall::isDone));

            gate.open();

            assertThat(waiting.stream().map(BackgroundCall::get)).containsOnly("paid 1");
            assertThat(first.get()).isEqualTo("paid 1");
        }
        assertThat(effects).hasValue(1);
    }
}
