package dev.refrain.servers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what happens on other threads: seen soon after it happened, and however slow the machine is. */
public final class AwaitSupport {

    private AwaitSupport() {}

    public static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1));
    }
}
