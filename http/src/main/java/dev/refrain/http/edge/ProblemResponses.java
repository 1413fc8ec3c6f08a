package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.api.RefrainException;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.internal.json.JsonText;
import dev.refrain.internal.json.JsonValue;
import dev.refrain.store.CommitRejectedException;
import dev.refrain.store.PhaseRolledBackException;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.WorkRolledBackException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Creates {@code application/problem+json} responses. Thread-safe. */
public final class ProblemResponses {

    public static final String MEDIA_TYPE = "application/problem+json";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final String contract;

    /**
     * Creates the factory.
     *
     * @param contract the URL of the published contract, which every problem links to
     */
    public ProblemResponses(String contract) {
        this.contract = contract;
    }

    public EdgeResponse response(ProblemType problem, String detail) {
        return response(
                problem, problem.status(), detail, problem.retryable() ? Optional.of(RETRY_AFTER) : Optional.empty());
    }

    /** Creates a problem with another status than the type's default. */
    public EdgeResponse response(ProblemType problem, int status, String detail) {
        return response(problem, status, detail, Optional.empty());
    }

    public EdgeResponse response(ProblemType problem, String detail, Duration retryAfter) {
        return response(problem, problem.status(), detail, Optional.of(retryAfter));
    }

    /** Maps a failure of Refrain itself to a problem. Store messages are not passed on: they may name hosts and tables. */
    public EdgeResponse response(RefrainException failure) {
        return switch (failure) {
            case MalformedKeyException e ->
                response(e.repeated() ? EdgeProblem.KEY_REPEATED : EdgeProblem.KEY_MALFORMED, text(e));
            case InvalidIdempotencyKeyException e -> response(EdgeProblem.KEY_MALFORMED, text(e));
            case QuotaReachedException e ->
                response(EdgeProblem.TOO_MANY_KEYS, "Nothing ran. Keys already in use still get their responses.");
            case ShuttingDownException e ->
                response(EdgeProblem.SHUTTING_DOWN, "Nothing ran. Send the same request again.");
            case OutcomeUnknownException e -> unconfirmed();
            case PhaseRolledBackException e -> unconfirmed();
            case CommitRejectedException e ->
                response(
                        EdgeProblem.HANDLER_FAILED,
                        "The database rejected what it wrote, and everything was rolled back. Sending it again under the same key is safe, but fails"
                                + " again as long as its data break the same constraint.");
            case WorkRolledBackException e ->
                response(
                        EdgeProblem.ROLLED_BACK,
                        whyRolledBack(e) + " Send the same request under the same key again; this is safe.");
            case RunTimeExceededException e ->
                response(
                        EdgeProblem.HANDLER_FAILED,
                        "It ran for too long and was rolled back. Sending it again under the same key is safe, but may take as long again.");
            case StoreOverloadedException e -> overloaded();
            case UnreadableOutcomeException e ->
                response(EdgeProblem.ANSWER_UNREADABLE, "Nothing ran this time. Ask the operator of this API.");
            case UnknownFingerprintRecipeException e ->
                response(
                        EdgeProblem.STORE_UNAVAILABLE,
                        "Nothing ran. This instance cannot tell whether this is the same request.");
            default ->
                response(
                        EdgeProblem.STORE_UNAVAILABLE, "Send the same request under the same key later; this is safe.");
        };
    }

    private static String whyRolledBack(WorkRolledBackException failure) {
        if (failure.isConnectionLost()) {
            return "The connection to the database was lost before its transaction had committed, and the database rolled it back.";
        }
        if (!failure.isTransient()) {
            return "The database refused what its transaction needs, and everything was rolled back; that goes on until the operator of"
                    + " this API has mended it.";
        }
        return failure.getCause() == null
                ? "Its transaction was marked rollback-only, or a concurrent request was quicker with the same key."
                : "Its transaction could not be committed, as after a conflict with a concurrent one (serialization failure, 40001).";
    }

    /** Creates the problem for a request that ran but whose outcome is not confirmed yet. */
    public EdgeResponse unconfirmed() {
        return response(
                EdgeProblem.OUTCOME_UNCONFIRMED,
                "It may have taken effect. Send the same request under the same key; this is safe and returns the outcome.");
    }

    /** Creates the problem for a request whose path or query cannot be decoded. */
    public EdgeResponse malformedTarget() {
        return response(EdgeProblem.TARGET_MALFORMED, "Percent-encode the bytes of its path and its query.");
    }

    /** Creates the problem for a request that still runs after its maximum run time. */
    EdgeResponse stillRunning() {
        return response(
                EdgeProblem.STILL_RUNNING,
                "It may still take effect. Send the same request under the same key later; this is safe and returns the outcome once it is known.");
    }

    /** Creates the problem for a request that came when the store had too much to do. Nothing has been claimed. */
    EdgeResponse overloaded() {
        return response(
                EdgeProblem.STORE_UNAVAILABLE,
                "There is too much to do at the moment. Send the same request under the same key later; this is safe.");
    }

    /** Creates the problem for a scope that cannot be resolved now. Nothing has been claimed. */
    EdgeResponse unavailableCaller() {
        return response(EdgeProblem.STORE_UNAVAILABLE, "The sender cannot be determined at the moment.");
    }

    /** Creates a problem with further members. */
    EdgeResponse response(ProblemType problem, String detail, Map<String, Object> members) {
        return response(problem, problem.status(), detail, Optional.empty(), members);
    }

    private EdgeResponse response(ProblemType problem, int status, String detail, Optional<Duration> retryAfter) {
        return response(problem, status, detail, retryAfter, Map.of());
    }

    private EdgeResponse response(
            ProblemType problem,
            int status,
            String detail,
            Optional<Duration> retryAfter,
            Map<String, Object> members) {
        var body = new LinkedHashMap<String, Object>();
        body.put("type", problem.type());
        body.put("title", problem.title());
        body.put("status", status);
        body.put("detail", detail);
        body.put("retryable", problem.retryable());
        body.putAll(members);
        var headers = new ArrayList<AnswerHeader>();
        headers.add(new AnswerHeader("Content-Type", MEDIA_TYPE));
        headers.add(new AnswerHeader("Cache-Control", "no-store"));
        headers.add(new AnswerHeader("Link", "<" + contract + "#" + problem.slug() + ">; rel=\"describedby\""));
        retryAfter.ifPresent(after -> headers.add(new AnswerHeader(
                "Retry-After", Long.toString(Math.max(1, after.plusMillis(999).toSeconds())))));
        return new EdgeResponse(
                status,
                headers,
                Payload.of(JsonText.compact(JsonValue.of(body)).getBytes(StandardCharsets.UTF_8)),
                new ResponseOrigin.RefusedFor(problem));
    }

    private static String text(RefrainException e) {
        return Optional.ofNullable(e.getMessage()).orElse("");
    }
}
