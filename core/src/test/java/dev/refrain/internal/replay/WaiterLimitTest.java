package dev.refrain.internal.replay;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nobody waits without bounds. */
class WaiterLimitTest extends WaiterTestBase {

    @Test
    void tooManyWaitersOfAScopeAreRefusedAtOnceAndOtherScopesStillWait() {
        var limited = world.process(world.settings().with(new WaiterLimits(2, 100)));
        var pay = pay(limited, LeaseExpiryPolicy.RESUME, LIMIT);
        var gate = new ThreadGate();
        var first = runner(pay, gate);
        var other = new ThreadGate();
        var otherScope = BackgroundCall.run(
                () -> pay.run(OperationCall.scope("other").key("key-1").request("x"), claim -> {
                    other.pass();
                    return "theirs";
                }));
        other.awaitArrival();
        var waiting = waiters(2, pay);

        var third = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        assertThat(third.failure()).isInstanceOf(InProgressException.class);
        assertThat(world.events.only(RefrainEvent.WaitRefused.class).operation())
                .isEqualTo("pay");
        var waitsElsewhere = BackgroundCall.run(
                        () -> pay.run(OperationCall.scope("other").key("key-1").request("x"), claim -> charge()))
                .parked();

        gate.open();
        other.open();
        assertThat(waiting.stream().map(BackgroundCall::get)).containsOnly("paid 1");
        assertThat(waitsElsewhere.get()).isEqualTo("theirs");
        first.get();
        otherScope.get();
    }

    @Test
    void tooManyWaitersOfAnInstanceAreRefusedAtOnceAndAFreedPlaceIsGiven() {
        var limited = world.process(world.settings().with(new WaiterLimits(100, 1)));
        var pay = pay(limited, LeaseExpiryPolicy.RESUME, LIMIT);
        var gate = new ThreadGate();
        var first = runner(pay, gate);
        var waiting = waiter(pay);

        assertThat(BackgroundCall.run(() ->
                                pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                        .failure())
                .isInstanceOf(InProgressException.class);
        advancing(world, Duration.ofMillis(100), waiting::isDone);
        var next = waiter(pay);

        gate.open();
        assertThat(next.get()).isEqualTo("paid 1");
        first.get();
    }

    @Test
    void closingDismissesThoseWhoWaitAndWhoeverWouldBeginTo() {
        var gate = new ThreadGate();
        var runsElsewhere = runner(pay(world.process(), LeaseExpiryPolicy.RESUME, LIMIT), gate);
        var pay = pay();
        var waiting = waiter(pay);
        var claimGate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyHeld(claimGate));
        var late = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        claimGate.awaitArrival();

        var closing = BackgroundCall.run(() -> refrain.close(Duration.ofSeconds(30)));
        assertThat(waiting.failure()).isInstanceOf(InProgressException.class);
        claimGate.open();
        assertThat(late.failure()).isInstanceOf(InProgressException.class);
        advancing(world, Duration.ofMillis(20), closing::isDone);

        assertThat(closing.get()).isEmpty();
        gate.open();
        runsElsewhere.get();
    }
}
