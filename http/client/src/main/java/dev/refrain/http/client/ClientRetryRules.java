package dev.refrain.http.client;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Rules that decide which responses are final and which are retried. */
enum ClientRetryRules {
    /** Treats a 5xx response without a {@code retryable} member as final. */
    EXPLICIT_ONLY(false),

    /** Retries such a response too: for servers that do not keep 5xx responses. */
    ALL_SERVER_ERRORS(true);

    private static final int ACCEPTED = 202;
    private static final String RUNNING = "{\"state\":\"running\"}";

    private final boolean retriesUnmarkedErrors;

    ClientRetryRules(boolean retriesUnmarkedErrors) {
        this.retriesUnmarkedErrors = retriesUnmarkedErrors;
    }

    SendAttemptResult classify(ReceivedResponse received, Instant now) {
        return isRetryable(received)
                ? new SendAttemptResult.RetryableResult(received.status(), RetryAfterHeader.in(received.headers(), now))
                : new SendAttemptResult.FinalResult(received);
    }

    private boolean isRetryable(ReceivedResponse received) {
        // A replayed response is the stored one and never changes, even if it is a 503.
        if (received.replayed()) {
            return false;
        }
        if (received.status() < 400) {
            return isStillRunning(received);
        }
        var retryable = ProblemBodyReader.retryable(received);
        return switch (received.status()) {
            case 408, 425, 429, 502, 503, 504 -> retryable.orElse(true);
            case 409 -> retryable.orElse(false);
            default -> received.status() >= 500 && retryable.orElse(retriesUnmarkedErrors);
        };
    }

    /** Recognizes Refrain's own 202, which says that an earlier attempt is still running. Any other 202 is final. */
    private static boolean isStillRunning(ReceivedResponse received) {
        return received.status() == ACCEPTED
                && received.headers().firstValue("Location").isPresent()
                && received.headers().firstValue("Retry-After").isPresent()
                && new String(received.body(), StandardCharsets.UTF_8).equals(RUNNING);
    }
}
