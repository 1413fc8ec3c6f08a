package dev.refrain.http.edge;

import java.util.Locale;

/** Problem types that every edge may return. */
public enum EdgeProblem implements ProblemType {
    KEY_MISSING(400, false, "This request needs an idempotency key."),
    KEY_MALFORMED(400, false, "The idempotency key cannot be used."),
    KEY_REPEATED(400, false, "More than one idempotency key was sent."),
    TARGET_MALFORMED(400, false, "The path or the query of this request is not UTF-8."),
    CALLER_UNKNOWN(401, false, "The sender of this request is unknown."),
    NO_SUCH_PAGE(404, false, "There is no such resource here."),
    METHOD_NOT_ALLOWED(405, false, "This resource can only be read."),
    IN_PROGRESS(409, true, "The same request is still in progress."),
    OUTCOME_UNKNOWN(409, false, "It is unknown whether this request took effect."),
    ANSWER_NOT_KEPT(409, false, "This request was completed before; its response was not stored."),
    NOT_KNOWN(410, false, "No such request is known, or it has expired."),
    REQUEST_TOO_LARGE(413, false, "The request is too large."),
    KEY_REUSED(422, false, "The idempotency key was used for another request."),
    TOO_MANY_KEYS(429, true, "Too many idempotency keys are in use."),
    HANDLER_FAILED(500, false, "The request failed."),
    ANSWER_UNREADABLE(500, false, "This request was completed before; its response cannot be read."),
    STORE_UNAVAILABLE(503, true, "The request cannot be protected now and was not run."),
    ROLLED_BACK(503, true, "The request ran and was rolled back; nothing took effect."),
    BUFFERS_FULL(503, true, "There is no memory for this request at the moment."),
    OUTCOME_UNCONFIRMED(503, true, "The request ran, but its outcome is not confirmed yet."),
    STILL_RUNNING(503, true, "The request is still running after its maximum run time."),
    SHUTTING_DOWN(503, true, "This instance is shutting down and accepts no more requests.");

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
