package dev.refrain.http.client;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Which answers are the last word, and which are to be asked for again. */
enum ClientRetryRules {
    /** An error of the server that says nothing of retries is the answer. */
    AS_TOLD(false),

    /** Such an error is tried again: for servers that are known not to keep it. */
    SERVER_ERRORS_TOO(true);

    private static final int ACCEPTED = 202;
    private static final String RUNNING = "{\"state\":\"running\"}";

    private final boolean unexplainedErrors;

    ClientRetryRules(boolean unexplainedErrors) {
        this.unexplainedErrors = unexplainedErrors;
    }

    SendAttemptResult judge(ReceivedResponse received, Instant now) {
        return isToBeTriedAgain(received)
                ? new SendAttemptResult.RetryableResult(received.status(), RetryAfterHeader.in(received.headers(), now))
                : new SendAttemptResult.FinalResult(received);
    }

    private boolean isToBeTriedAgain(ReceivedResponse received) {
        // A replayed answer is the one that was kept: it stays what it is, a 503 too.
        if (received.replayed()) {
            return false;
        }
        if (received.status() < 400) {
            return isStillRunning(received);
        }
        var said = ProblemBodyReader.retryable(received);
        return switch (received.status()) {
            case 408, 425, 429, 502, 503, 504 -> said.orElse(true);
            case 409 -> said.orElse(false);
            default -> received.status() >= 500 && said.orElse(unexplainedErrors);
        };
    }

    /** What Refrain says of an earlier attempt that is under way: what becomes of it is not known yet. An API's own 202 says something else. */
    private static boolean isStillRunning(ReceivedResponse received) {
        return received.status() == ACCEPTED
                && received.headers().firstValue("Location").isPresent()
                && received.headers().firstValue("Retry-After").isPresent()
                && new String(received.body(), StandardCharsets.UTF_8).equals(RUNNING);
    }
}
