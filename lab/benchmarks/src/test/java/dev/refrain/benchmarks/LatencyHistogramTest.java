package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 129, 255, 256, 1_000, 999_999, 1_000_000, 123_456_789, 60_000_000_000L})
    void latencyIsKeptToWithinOnePercent(long nanos) {
        var latencies = new LatencyHistogram();
        latencies.add(nanos);
        assertThat(latencies.quantile(0.5)).isCloseTo(nanos, within(0.5 + nanos / 100.0));
    }

    @Test
    void quantilesAreThoseOfAllThatWasAdded() {
        var evens = new LatencyHistogram();
        var odds = new LatencyHistogram();
        LongStream.rangeClosed(1, 1_000).forEach(i -> (i % 2 == 0 ? evens : odds).add(i * 1_000));
        evens.add(odds);
        assertThat(evens.count()).isEqualTo(1_000);
        assertThat(evens.quantile(0.5)).isCloseTo(500_000, within(5_000.0));
        assertThat(evens.quantile(0.99)).isCloseTo(990_000, within(9_900.0));
        assertThat(evens.quantile(0.999)).isCloseTo(999_000, within(9_990.0));
    }

    @Test
    void latencyBeyondTheRangeIsCountedAsTheLongest() {
        var latencies = new LatencyHistogram();
        latencies.add(Long.MAX_VALUE);
        assertThat(latencies.quantile(1)).isGreaterThan(100e9);
    }

    @Test
    void noCallsHaveNoLatency() {
        assertThat(new LatencyHistogram().quantile(0.99)).isZero();
    }
}
