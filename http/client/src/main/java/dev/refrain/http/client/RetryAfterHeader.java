package dev.refrain.http.client;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Parser of {@code Retry-After}, in seconds or as a date. */
final class RetryAfterHeader {

    private static final int MAX_DIGITS = 9;

    private RetryAfterHeader() {}

    /**
     * Returns the delay; empty if the header is missing or unreadable. A date is relative to the response's own {@code
     * Date}, since clocks differ.
     */
    static Optional<Duration> in(HttpHeaders headers, Instant now) {
        return headers.firstValue("Retry-After")
                .map(String::strip)
                .flatMap(value -> isSeconds(value) ? Optional.of(seconds(value)) : until(value, headers, now));
    }

    private static boolean isSeconds(String value) {
        return !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Duration seconds(String digits) {
        return digits.length() > MAX_DIGITS
                ? Duration.ofSeconds(999_999_999)
                : Duration.ofSeconds(Long.parseLong(digits));
    }

    private static Optional<Duration> until(String value, HttpHeaders headers, Instant now) {
        var from = headers.firstValue("Date").flatMap(RetryAfterHeader::date).orElse(now);
        return date(value).map(to -> Duration.between(from, to)).map(wait -> wait.isNegative() ? Duration.ZERO : wait);
    }

    private static Optional<Instant> date(String value) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip(), Instant::from));
        } catch (DateTimeException notADate) {
            return Optional.empty();
        }
    }
}
