package dev.refrain.internal.replay;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A run that takes its time, and those who wait for it. */
abstract class WaiterTestBase {

    static final Duration LIMIT = Duration.ofSeconds(10);
    final SharedStoreFixture world = new SharedStoreFixture();
    final Refrain refrain = world.process();
    final AtomicInteger effects = new AtomicInteger();

    LeasedOperation<String> pay(Refrain process, LeaseExpiryPolicy takeOver, Duration limit) {
        return process.operation("pay", String.class).waitWhileInFlight(limit).leased(takeOver);
    }

    LeasedOperation<String> pay() {
        return pay(refrain, LeaseExpiryPolicy.RESUME, LIMIT);
    }

    String charge() {
        return "paid " + effects.incrementAndGet();
    }

    BackgroundCall<String> runner(LeasedOperation<String> pay, ThreadGate gate) {
        var first = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    return charge();
                }));
        gate.awaitArrival();
        return first;
    }

    BackgroundCall<String> waiter(LeasedOperation<String> pay) {
        return BackgroundCall.run(
                        () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .parked();
    }

    List<BackgroundCall<String>> waiters(int count, LeasedOperation<String> pay) {
        var all = BackgroundCall.run(
                count, () -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()));
        all.forEach(BackgroundCall::parked);
        return all;
    }
}
