package dev.refrain.http.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;

/** The answer to an intent: the last word on it, be it good or bad. Immutable, but for the array it hands out. */
public final class FinalResponse {

    private final String key;
    private final int attempts;
    private final ReceivedResponse received;

    FinalResponse(String key, int attempts, ReceivedResponse received) {
        this.key = key;
        this.attempts = attempts;
        this.received = received;
    }

    public String key() {
        return key;
    }

    /** How often it was sent by this call, this time included. */
    public int attempts() {
        return attempts;
    }

    public int status() {
        return received.status();
    }

    public HttpHeaders headers() {
        return received.headers();
    }

    public byte[] body() {
        return received.body();
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(received.body(), StandardCharsets.UTF_8);
    }

    /** Whether the server says that it worked before, and that this is the answer it gave then. */
    public boolean replayed() {
        return received.replayed();
    }

    @Override
    public String toString() {
        return status() + (replayed() ? " (replayed)" : "") + " after " + attempts + " attempts under key "
                + PendingRequest.redacted(key);
    }
}
