package dev.refrain.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.ShuttingDownException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GracefulShutdownTest {

    private static final int ROUNDS = 200;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final GracefulShutdown drain = new GracefulShutdown(ExecutionEnvironment.system());

    @Test
    void callWithinAnotherIsNamedBesideItAndLeavesItBehind() {
        try (var outer = drain.enter("outer")) {
            try (var inner = drain.enter("inner")) {
                assertThat(drain.close(Duration.ZERO, Duration.ZERO)).containsExactlyInAnyOrder("outer", "inner");
                assertThat(inner.isStopRequested()).isTrue();
            }
            assertThat(outer.isStopRequested()).isTrue();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(drain.close(Duration.ZERO, Duration.ZERO)).containsExactly("outer");
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(drain.close(Duration.ZERO, Duration.ZERO)).isEmpty();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void callDuringShutdownIsRefusedOrAwaited() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var closing = new GracefulShutdown(ExecutionEnvironment.system());
            var inside = new AtomicInteger();
            var comer = Thread.ofPlatform().start(() -> {
                while (true) {
                    try (var working = closing.enter("pay")) {
                        inside.incrementAndGet();
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                    } catch (ShuttingDownException refused) {
                        return;
                    }
                }
            });

            assertThat(closing.close(LONG, LONG)).isEmpty();
            assertThat(inside).hasValue(0);

            comer.join();
        }
    }
}
