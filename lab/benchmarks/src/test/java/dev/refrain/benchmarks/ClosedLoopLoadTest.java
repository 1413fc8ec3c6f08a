package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.StoreOverloadedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ClosedLoopLoadTest {

    private static final Duration SLICE = Duration.ofMillis(300);

    /** A side whose calls take a millisecond, but for one, which outlasts the slice. */
    private static final class OneSlowCall implements BenchmarkWorkload {
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public String name() {
            return "one slow call";
        }

        @Override
        public void callOnce() {
            LockSupport.parkNanos(
                    (calls.incrementAndGet() == 1 ? SLICE.multipliedBy(2) : Duration.ofMillis(1)).toNanos());
        }
    }

    @Test
    void callThatOutlastsTheSliceIsMeasuredToItsEnd() throws Exception {
        var slice = new ClosedLoopLoad(4, Duration.ZERO, SLICE).on(new OneSlowCall());

        assertThat(slice.quantile(1))
                .isGreaterThanOrEqualTo(SLICE.multipliedBy(2).toNanos() * 0.99);
        assertThat(slice.starved()).isEqualTo(1);
        assertThat(slice.completed()).isLessThan(slice.latencies().count());
    }

    /** A side that refuses every other call. */
    private static final class HalfRefused implements BenchmarkWorkload {
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public String name() {
            return "half refused";
        }

        @Override
        public void callOnce() {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            if (calls.incrementAndGet() % 2 == 0) {
                throw new StoreOverloadedException("refused");
            }
        }
    }

    @Test
    void refusedCallsAreCountedAndShareNoCosts() throws Exception {
        var slice = new ClosedLoopLoad(1, Duration.ZERO, SLICE).on(new HalfRefused());

        assertThat(slice.refused()).isBetween(slice.answered() - 1, slice.answered() + 1);
        assertThat(slice.latencies().count()).isEqualTo(slice.answered());
        assertThat(slice.refusedPerHundred()).isBetween(50.0, 200.0);
    }
}
