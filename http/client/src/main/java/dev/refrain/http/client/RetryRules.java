package dev.refrain.http.client;

import java.time.Instant;

/** Which answers are the last word, and which are to be asked for again. */
enum RetryRules {
    /** An error of the server that says nothing of retries is the answer. */
    AS_TOLD(false),

    /** Such an error is tried again: for servers that are known not to keep it. */
    SERVER_ERRORS_TOO(true);

    private final boolean unexplainedErrors;

    RetryRules(boolean unexplainedErrors) {
        this.unexplainedErrors = unexplainedErrors;
    }

    Tried judge(Received received, Instant now) {
        return isToBeTriedAgain(received)
                ? new Tried.Refused(received.status(), RetryAfter.in(received.headers(), now))
                : new Tried.Answered(received);
    }

    private boolean isToBeTriedAgain(Received received) {
        // A replayed answer is the one that was kept: it stays what it is, a 503 too.
        if (received.status() < 400 || received.replayed()) {
            return false;
        }
        var said = Problem.retryable(received);
        return switch (received.status()) {
            case 408, 425, 429, 502, 503, 504 -> said.orElse(true);
            case 409 -> said.orElse(false);
            default -> received.status() >= 500 && said.orElse(unexplainedErrors);
        };
    }
}
