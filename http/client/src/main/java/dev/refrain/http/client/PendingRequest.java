package dev.refrain.http.client;

import java.time.Instant;

/**
 * Something that is to happen once: a request, and the key that it is sent under until it is answered. Immutable.
 *
 * @param firstSent taken before the first byte left, so that the server's memory of the key began later, if at all
 * @param retryUntil from then on the server may have forgotten the key, and the same request would be a new one; the time of the first
 *     sending if the server does not remember keys at all
 */
public record PendingRequest(String key, ResendableRequest request, Instant firstSent, Instant retryUntil) {

    private static final int MAX_KEY = 255;

    public PendingRequest {
        if (key.isEmpty() || key.length() > MAX_KEY || !key.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "A key has 1 to " + MAX_KEY + " characters of visible ASCII, without blanks.");
        }
    }

    /** The server remembers nothing under its key: sent a second time, it would run a second time. */
    boolean isSendOnce() {
        return !retryUntil.isAfter(firstSent);
    }

    /** The key as the header has it: a string of RFC 9651. */
    public String headerValue() {
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Enough of the key to find it in a log, not enough to use it. */
    static String redacted(String key) {
        return key.length() <= 8 ? "…" : key.substring(0, 8) + "…";
    }
}
