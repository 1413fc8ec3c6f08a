package dev.refrain;

import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import java.time.Duration;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SystemEnvironmentTest {

    private final Environment environment = Environment.system();

    @Test
    void nonces_are_unique_uuids_of_version_7_in_the_order_of_time() {
        var nonces = Stream.generate(environment::newNonce).limit(10_000).toList();

        assertThat(new HashSet<>(nonces)).hasSize(10_000);
        assertThat(nonces).allSatisfy(n -> {
            assertThat(n.version()).isEqualTo(7);
            assertThat(n.variant()).isEqualTo(2);
        });
        assertThat(nonces.stream().map(SystemEnvironmentTest::millis)).isSorted();
        assertThat(millis(nonces.getFirst())).isCloseTo(System.currentTimeMillis(), within(60_000L));
    }

    private static long millis(UUID nonce) {
        return nonce.getMostSignificantBits() >>> 16;
    }

    @Test
    void what_is_started_has_a_virtual_thread_of_its_own_and_may_block() {
        var gate = new Gate();
        var seen = new CompletableFuture<Thread>();
        environment.startThread("named", () -> {
            gate.pass();
            seen.complete(Thread.currentThread());
        });
        gate.awaitArrival();
        gate.open();

        assertThat(seen.join().isVirtual()).isTrue();
        assertThat(seen.join().getName()).isEqualTo("named");
    }

    @Test
    void a_timer_runs_once_unless_it_is_cancelled_before() {
        var ran = new AtomicBoolean();
        AtomicBoolean cancelled;
        var soon = Duration.ofMillis(20);
        long begun;
        do {
            cancelled = new AtomicBoolean();
            var timer = cancelled;
            begun = environment.nanoTime();
            environment.schedule(soon, () -> timer.set(true)).cancel();
            // Who stands still between the two cancels too late.
        } while (environment.nanoTime() - begun >= soon.toNanos());
        environment.schedule(Duration.ofMillis(30), () -> ran.set(true));

        until(ran::get);

        assertThat(cancelled).isFalse();
    }

    @Test
    void a_task_that_throws_does_not_end_the_timers() {
        var ran = new AtomicBoolean();
        environment.schedule(Duration.ZERO, () -> {
            throw new IllegalStateException("a defect");
        });
        environment.schedule(Duration.ofMillis(1), () -> ran.set(true));

        until(ran::get);
    }

    @Test
    void a_pause_takes_its_time_and_does_not_heed_interrupts() {
        long begun = environment.nanoTime();
        var pausing = Background.run(() -> {
            environment.sleep(Duration.ofMillis(50));
            return Thread.currentThread().isInterrupted();
        });
        pausing.interrupt();

        assertThat(pausing.get()).isTrue();
        assertThat(environment.nanoTime() - begun)
                .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }
}
