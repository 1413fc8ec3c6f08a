package dev.refrain.replay;

import static dev.refrain.testing.World.SCOPE;

import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A run that takes its time, and those who wait for it. */
abstract class WithWaiters {

    static final Duration LIMIT = Duration.ofSeconds(10);
    final World world = new World();
    final Refrain refrain = world.process();
    final AtomicInteger effects = new AtomicInteger();

    Leased<String> pay(Refrain process, TakeOver takeOver, Duration limit) {
        return process.operation("pay", String.class).waitForOutcome(limit).leased(takeOver);
    }

    Leased<String> pay() {
        return pay(refrain, TakeOver.RESUME, LIMIT);
    }

    String charge() {
        return "paid " + effects.incrementAndGet();
    }

    Background<String> runner(Leased<String> pay, Gate gate) {
        var first = Background.run(() -> pay.run(SCOPE, "key-1", "x", claim -> {
            gate.pass();
            return charge();
        }));
        gate.awaitArrival();
        return first;
    }

    Background<String> waiter(Leased<String> pay) {
        return Background.run(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()))
                .parked();
    }

    List<Background<String>> waiters(int count, Leased<String> pay) {
        var all = Background.run(count, () -> pay.run(SCOPE, "key-1", "x", claim -> charge()));
        all.forEach(Background::parked);
        return all;
    }
}
