package dev.refrain.http.client;

import static dev.refrain.http.client.ManualClientClock.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delays between attempts, and the {@code Retry-After} header. */
class ClientRetryBackoffTest {

    private static final ClientRetryBackoff BACKOFF =
            new ClientRetryBackoff(Duration.ofMillis(100), Duration.ofSeconds(2));

    @ParameterizedTest
    @CsvSource({"1,100", "2,200", "3,400", "5,1600", "6,2000", "40,2000", "2000000000,2000"})
    void delayIsRandomUpToDoublingCeiling(int attempts, long ceiling) {
        var random = new Random(1);
        var pauses = IntStream.range(0, 2_000)
                .mapToLong(
                        i -> BACKOFF.delay(attempts, Optional.empty(), random).toMillis())
                .summaryStatistics();

        assertThat(pauses.getMax()).isBetween(ceiling * 95 / 100, ceiling);
        assertThat(pauses.getMin()).isBetween(0L, ceiling * 5 / 100);
        assertThat(pauses.getAverage()).isBetween(ceiling * 0.45, ceiling * 0.55);
    }

    @Test
    void retryAfterIsTheMinimumPlusJitter() {
        var random = new Random(1);
        var pauses = IntStream.range(0, 1_000)
                .mapToObj(i -> BACKOFF.delay(1, Optional.of(Duration.ofSeconds(5)), random))
                .toList();

        assertThat(pauses)
                .allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5_100)));
        assertThat(pauses.stream().distinct().count()).isGreaterThan(900);
    }

    @Test
    void smallRetryAfterDoesNotShortenTheDelay() {
        var own = BACKOFF.delay(6, Optional.empty(), new Random(3));

        assertThat(BACKOFF.delay(6, Optional.of(Duration.ZERO), new Random(3))).isEqualTo(own);
    }

    @Test
    void invalidBackoffIsRejected() {
        assertThatThrownBy(() -> new ClientRetryBackoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new ClientRetryBackoff(Duration.ZERO, Duration.ZERO).delay(3, Optional.empty(), new Random(1)))
                .isZero();
    }

    private static Optional<Duration> retryAfter(String value) {
        return RetryAfterHeader.in(HttpHeaders.of(Map.of("Retry-After", List.of(value)), (n, v) -> true), START);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "7,7", "120,120", "' 7 ',7", "99999999999999999999,999999999"})
    void seconds(String value, long seconds) {
        assertThat(retryAfter(value)).contains(Duration.ofSeconds(seconds));
    }

    @Test
    void dateIsRelativeToNowWithoutDateHeader() {
        assertThat(retryAfter("Sun, 01 Mar 2026 12:00:30 GMT")).contains(Duration.ofSeconds(30));
        assertThat(retryAfter("Sun, 01 Mar 2026 11:00:00 GMT")).contains(Duration.ZERO);
    }

    @Test
    void dateIsRelativeToDateHeader() {
        var headers = Map.of(
                "Retry-After", List.of("Sun, 01 Mar 2026 17:00:30 GMT"),
                "Date", List.of("Sun, 01 Mar 2026 17:00:00 GMT"));

        assertThat(RetryAfterHeader.in(HttpHeaders.of(headers, (n, v) -> true), START))
                .contains(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", "1.5", "+3", "2026-03-01T12:00:30Z"})
    void unreadableRetryAfterIsIgnored(String value) {
        assertThat(retryAfter(value)).isEmpty();
    }
}
