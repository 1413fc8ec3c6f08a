package dev.refrain.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waiting for what happens on another thread; a test that waits this long in vain fails. */
public final class AwaitCondition {

    public static final Duration PATIENCE = Duration.ofMinutes(2);

    private AwaitCondition() {}

    public static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(condition);
    }

    /** Moves the time in steps until it is so: for what needs other threads' steps in between. */
    public static void advancing(SharedStoreFixture world, Duration step, Callable<Boolean> condition) {
        until(() -> {
            if (condition.call()) {
                return true;
            }
            world.advance(step);
            TestThreads.settle();
            return condition.call();
        });
    }
}
