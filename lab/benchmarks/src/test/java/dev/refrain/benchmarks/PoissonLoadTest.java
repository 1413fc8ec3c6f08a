package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.StoreOverloadedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class PoissonLoadTest {

    private static final Duration TIME = Duration.ofMillis(300);
    private static final int PER_SECOND = 500;

    /** A side that serves one call at a time, the first one for as long as the load lasts. */
    private static final class StalledSide implements BenchmarkWorkload {
        private final ReentrantLock lock = new ReentrantLock(true);
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public String name() {
            return "stalled";
        }

        @Override
        public void callOnce() {
            boolean first = calls.incrementAndGet() == 1;
            lock.lock();
            try {
                if (first) {
                    LockSupport.parkNanos(TIME.toNanos());
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void stallCountsForEveryCallThatWasDueMeanwhile() throws Exception {
        var side = new StalledSide();

        var latencies = new PoissonLoad(PER_SECOND, TIME).on(side);

        assertThat(latencies.count()).isEqualTo(side.calls.get());
        // Half of the calls were due in the first half of the stall, and waited for the second.
        assertThat(latencies.quantile(0.6)).isGreaterThan(TIME.toNanos() * 0.3);
    }

    /** A side that refuses every call at once. */
    private record RefusingSide() implements BenchmarkWorkload {
        @Override
        public String name() {
            return "refusing";
        }

        @Override
        public void callOnce() {
            throw new StoreOverloadedException("refused");
        }
    }

    @Test
    void quickRefusalIsNoQuickAnswer() throws Exception {
        assertThat(new PoissonLoad(PER_SECOND, TIME).on(new RefusingSide()).quantile(0.01))
                .isGreaterThan(TIME.toNanos() * 0.9);
    }
}
