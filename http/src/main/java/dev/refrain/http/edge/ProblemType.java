package dev.refrain.http.edge;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Everything that an edge refuses, each with a type of its own. */
public enum ProblemType {
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
    SHUTTING_DOWN(503, true, "This instance takes no more requests."),
    UPSTREAM_UNREACHABLE(502, true, "The service behind cannot be reached; nothing was sent to it."),
    UPSTREAM_UNANSWERED(
            504, true, "The service behind gave no answer; it knows this key, so the same request may be sent again."),
    UPSTREAM_SILENT(504, false, "The service behind gave no answer; whether the request took effect is not known.");

    /** Those of every edge; the others are of a gateway, behind which there is another failure domain. */
    public static final Set<ProblemType> OF_EVERY_EDGE =
            Collections.unmodifiableSet(EnumSet.range(KEY_MISSING, SHUTTING_DOWN));

    /** What every type begins with. */
    public static final String TYPES = "urn:refrain:problem:";

    private final int status;
    private final boolean retryable;
    private final String title;

    ProblemType(int status, boolean retryable, String title) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
    }

    /** Its usual status; a profile may say otherwise for a key that was used before. */
    public int status() {
        return status;
    }

    /** Whether the same request under the same key may fare better, and is safe to send again. */
    public boolean retryable() {
        return retryable;
    }

    public String title() {
        return title;
    }

    /** Its name in types and anchors. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String type() {
        return TYPES + slug();
    }
}
