package dev.refrain.http.edge;

import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.api.RefrainException;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.api.UnreadableOutcomeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writes problems as {@code application/problem+json}. Thread-safe. */
public final class ProblemResponses {

    public static final String MEDIA_TYPE = "application/problem+json";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String contract;

    /** @param contract where the contract is published, which every problem links to */
    public ProblemResponses(String contract) {
        this.contract = contract;
    }

    public EdgeResponse response(ProblemType problem, String detail) {
        return response(
                problem, problem.status(), detail, problem.retryable() ? Optional.of(RETRY_AFTER) : Optional.empty());
    }

    /** With another status than usual. */
    public EdgeResponse response(ProblemType problem, int status, String detail) {
        return response(problem, status, detail, Optional.empty());
    }

    public EdgeResponse response(ProblemType problem, String detail, Duration retryAfter) {
        return response(problem, problem.status(), detail, Optional.of(retryAfter));
    }

    /** What a failure of Refrain itself is to the client. Messages of the store stay inside: they may name hosts and tables. */
    public EdgeResponse response(RefrainException failure) {
        return switch (failure) {
            case MalformedKeyException e ->
                response(e.repeated() ? EdgeProblem.KEY_REPEATED : EdgeProblem.KEY_MALFORMED, text(e));
            case InvalidIdempotencyKeyException e -> response(EdgeProblem.KEY_MALFORMED, text(e));
            case QuotaReachedException e ->
                response(EdgeProblem.TOO_MANY_KEYS, "Nothing ran. Keys already in use are still answered.");
            case ShuttingDownException e ->
                response(EdgeProblem.SHUTTING_DOWN, "Nothing ran. Send the same request again.");
            case OutcomeUnknownException e -> unconfirmed();
            case UnreadableOutcomeException e ->
                response(EdgeProblem.ANSWER_UNREADABLE, "Nothing ran now. Ask the operator of this API.");
            case UnknownFingerprintRecipeException e ->
                response(
                        EdgeProblem.STORE_UNAVAILABLE,
                        "Nothing ran. It cannot be said here whether this is the same request.");
            default ->
                response(
                        EdgeProblem.STORE_UNAVAILABLE, "Send the same request under the same key later: that is safe.");
        };
    }

    /** It ran, and nobody knows yet what became of it. */
    public EdgeResponse unconfirmed() {
        return response(
                EdgeProblem.OUTCOME_UNCONFIRMED,
                "It may have taken effect. Send the same request under the same key: it finds out and is safe.");
    }

    /** Whose keys a request uses cannot be found out now. Nothing has been claimed. */
    EdgeResponse unavailableCaller() {
        return response(EdgeProblem.STORE_UNAVAILABLE, "It cannot be found out now who sends it.");
    }

    private EdgeResponse response(ProblemType problem, int status, String detail, Optional<Duration> retryAfter) {
        var body = JsonNodeFactory.instance.objectNode();
        body.put("type", problem.type());
        body.put("title", problem.title());
        body.put("status", status);
        body.put("detail", detail);
        body.put("retryable", problem.retryable());
        var headers = new ArrayList<OutcomeHeader>();
        headers.add(new OutcomeHeader("Content-Type", MEDIA_TYPE));
        headers.add(new OutcomeHeader("Cache-Control", "no-store"));
        headers.add(new OutcomeHeader("Link", "<" + contract + "#" + problem.slug() + ">; rel=\"describedby\""));
        retryAfter.ifPresent(after -> headers.add(new OutcomeHeader(
                "Retry-After", Long.toString(Math.max(1, after.plusMillis(999).toSeconds())))));
        return new EdgeResponse(
                status, headers, Payload.of(JSON.writeValueAsBytes(body)), new ResponseOrigin.RefusedFor(problem));
    }

    private static String text(RefrainException e) {
        return Optional.ofNullable(e.getMessage()).orElse("");
    }
}
