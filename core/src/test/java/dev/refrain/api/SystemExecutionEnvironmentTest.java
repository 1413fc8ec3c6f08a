package dev.refrain.api;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SystemExecutionEnvironmentTest {

    private final ExecutionEnvironment environment = ExecutionEnvironment.system();

    @Test
    void noncesAreUniqueUuidsOfVersion7InTheOrderOfTime() {
        var nonces = Stream.generate(environment::newNonce).limit(10_000).toList();

        assertThat(new HashSet<>(nonces)).hasSize(10_000);
        assertThat(nonces).allSatisfy(n -> {
            assertThat(n.version()).isEqualTo(7);
            assertThat(n.variant()).isEqualTo(2);
        });
        assertThat(nonces.stream().map(SystemExecutionEnvironmentTest::millis)).isSorted();
        assertThat(millis(nonces.getFirst())).isCloseTo(System.currentTimeMillis(), within(60_000L));
    }

    private static long millis(UUID nonce) {
        return nonce.getMostSignificantBits() >>> 16;
    }

    @Test
    void startedTaskHasAVirtualThreadOfItsOwnAndMayBlock() {
        var gate = new ThreadGate();
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
    void timerRunsOnceUnlessItIsCancelledBefore() {
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
    void taskThatThrowsDoesNotEndTheTimers() {
        var ran = new AtomicBoolean();
        environment.schedule(Duration.ZERO, () -> {
            throw new IllegalStateException("a defect");
        });
        environment.schedule(Duration.ofMillis(1), () -> ran.set(true));

        until(ran::get);
    }

    @Test
    void pauseTakesItsTimeAndDoesNotHeedInterrupts() {
        long begun = environment.nanoTime();
        var pausing = BackgroundCall.run(() -> {
            environment.sleep(Duration.ofMillis(50));
            return Thread.currentThread().isInterrupted();
        });
        pausing.interrupt();

        assertThat(pausing.get()).isTrue();
        assertThat(environment.nanoTime() - begun)
                .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }
}
