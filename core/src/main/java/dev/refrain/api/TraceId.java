package dev.refrain.api;

import java.util.HexFormat;
import java.util.Optional;

/**
 * Trace of a request in the sense of W3C Trace Context: sixteen bytes, written as 32 hexadecimal digits. Links a record to the logs and
 * spans of the request that made it.
 */
public record TraceId(long high, long low) {

    private static final int DIGITS = 32;
    private static final int HALF = DIGITS / 2;

    /** In {@code 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}: behind the version and its dash. */
    private static final int IN_TRACEPARENT = 3;

    /** Reads 32 hexadecimal digits that are not all zero; empty for anything else, because a trace is never worth a failure. */
    public static Optional<TraceId> parse(String text) {
        if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        var id = new TraceId(
                HexFormat.fromHexDigitsToLong(text, 0, HALF), HexFormat.fromHexDigitsToLong(text, HALF, DIGITS));
        return id.high == 0 && id.low == 0 ? Optional.empty() : Optional.of(id);
    }

    /** Reads the value of a {@code traceparent} header; empty if it is none. */
    public static Optional<TraceId> ofTraceparent(String header) {
        int end = IN_TRACEPARENT + DIGITS;
        return header.length() > end && header.charAt(IN_TRACEPARENT - 1) == '-' && header.charAt(end) == '-'
                ? parse(header.substring(IN_TRACEPARENT, end))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
