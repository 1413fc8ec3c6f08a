package dev.refrain;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.testing.SharedStoreFixture;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicInteger;

/** An operation that is leased, and counts its effects. */
abstract class LeasedPaymentTestBase {

    record Payment(String id, BigDecimal amount) {}

    final SharedStoreFixture world = new SharedStoreFixture();
    final Refrain refrain = world.process();
    final AtomicInteger effects = new AtomicInteger();
    final LeasedOperation<Payment> pay = refrain.operation("pay", Payment.class).leased(LeaseExpiryPolicy.RESUME);

    Payment charge() {
        return new Payment("p-" + effects.incrementAndGet(), new BigDecimal("10.50"));
    }
}
