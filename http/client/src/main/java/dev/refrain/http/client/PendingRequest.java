package dev.refrain.http.client;

import java.time.Instant;

/**
 * Request that must take effect once, with the key it is sent under until it gets a final response. Immutable.
 *
 * @param firstSent the time before the first attempt, so that the server's retention started later, if at all
 * @param retryUntil the time when the server may have forgotten the key, after which the same request would be a new
 *     one; equal to {@code firstSent} if the server does not store keys at all
 */
public record PendingRequest(String key, ResendableRequest request, Instant firstSent, Instant retryUntil) {

    private static final int MAX_KEY = 255;

    public PendingRequest {
        if (key.isEmpty() || key.length() > MAX_KEY || !key.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "Invalid idempotency key: use 1 to " + MAX_KEY + " visible ASCII characters without spaces.");
        }
    }

    /** Returns whether the server stores no keys, so that a second attempt would run again. */
    boolean isSendOnce() {
        return !retryUntil.isAfter(firstSent);
    }

    /** Returns the key as a header value: an RFC 9651 string. */
    public String headerValue() {
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Shortens the key for logs: enough to find it, not enough to use it. */
    static String redacted(String key) {
        return key.length() <= 8 ? "…" : key.substring(0, 8) + "…";
    }
}
