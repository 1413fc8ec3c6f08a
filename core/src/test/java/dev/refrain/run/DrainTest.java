package dev.refrain.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Environment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DrainTest {

    private static final int ROUNDS = 200;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Drain drain = new Drain(Environment.system());

    @Test
    void a_call_within_another_is_named_beside_it_and_leaves_it_behind() {
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
    void whoever_comes_while_it_closes_is_refused_or_waited_for() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var closing = new Drain(Environment.system());
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
