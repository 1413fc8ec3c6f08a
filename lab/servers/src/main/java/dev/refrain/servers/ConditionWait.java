package dev.refrain.servers;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Polls until a condition holds, for processes that cannot notify. */
final class ConditionWait {

    private static final long POLL_MILLIS = 5;

    private ConditionWait() {}

    static void until(BooleanSupplier condition, Duration limit, Supplier<String> otherwise) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TestServerException(otherwise.get());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestServerException("Interrupted while waiting for a server.", e);
            }
        }
    }
}
