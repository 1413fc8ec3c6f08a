package dev.refrain.http.edge;

import java.util.Locale;

/** The problems that a client may meet at every edge. */
public enum EdgeProblem implements ProblemType {
    KEY_MISSING(400, false, "This request needs an idempotency key."),
    KEY_MALFORMED(400, false, "The idempotency key cannot be used."),
    KEY_REPEATED(400, false, "More than one idempotency key was sent."),
    CALLER_UNKNOWN(401, false, "It is not known who sends this request."),
    IN_PROGRESS(409, true, "The same request is still being worked on."),
    OUTCOME_UNKNOWN(409, false, "It is not known whether this request took effect."),
    ANSWER_NOT_KEPT(409, false, "This request was done before; its answer was not kept."),
    NOT_KNOWN(410, false, "Nothing is known of such a request, or no longer."),
    REQUEST_TOO_LARGE(413, false, "The request is too large."),
    KEY_REUSED(422, false, "The idempotency key was used for another request."),
    TOO_MANY_KEYS(429, true, "Too many idempotency keys are in use."),
    HANDLER_FAILED(500, false, "The request failed."),
    ANSWER_UNREADABLE(500, false, "This request was done before; its answer cannot be read."),
    STORE_UNAVAILABLE(503, true, "The request cannot be protected now, so it was not run."),
    OUTCOME_UNCONFIRMED(503, true, "The request ran, but its outcome is not confirmed yet."),
    SHUTTING_DOWN(503, true, "This instance takes no more requests.");

    private final int status;
    private final boolean retryable;
    private final String title;

    EdgeProblem(int status, boolean retryable, String title) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
