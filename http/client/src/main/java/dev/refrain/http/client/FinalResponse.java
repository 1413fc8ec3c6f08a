package dev.refrain.http.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;

/** Final response to a request, successful or not. Immutable except for the array it returns. Thread-safe. */
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

    /** Number of attempts of this call, including the last. */
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

    /** Decodes the body as UTF-8. */
    public String text() {
        return new String(received.body(), StandardCharsets.UTF_8);
    }

    /** Returns whether the server replayed the response of an earlier attempt. */
    public boolean replayed() {
        return received.replayed();
    }

    @Override
    public String toString() {
        return status() + (replayed() ? " (replayed)" : "") + " after " + attempts + " attempts under key "
                + PendingRequest.redacted(key);
    }
}
