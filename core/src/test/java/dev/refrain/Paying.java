package dev.refrain;

import dev.refrain.store.TakeOver;
import dev.refrain.testing.World;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicInteger;

/** An operation that is leased, and counts its effects. */
abstract class Paying {

    record Payment(String id, BigDecimal amount) {}

    final World world = new World();
    final Refrain refrain = world.process();
    final AtomicInteger effects = new AtomicInteger();
    final Leased<Payment> pay = refrain.operation("pay", Payment.class).leased(TakeOver.RESUME);

    Payment charge() {
        return new Payment("p-" + effects.incrementAndGet(), new BigDecimal("10.50"));
    }
}
