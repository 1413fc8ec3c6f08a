package dev.refrain.http.problem;

import dev.refrain.RefrainException;
import dev.refrain.fingerprint.UnknownRecipeException;
import dev.refrain.http.Reply;
import dev.refrain.http.key.MalformedKeyException;
import dev.refrain.key.InvalidKeyException;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.UnreadableOutcomeException;
import dev.refrain.run.OutcomeUnknownException;
import dev.refrain.run.QuotaReachedException;
import dev.refrain.run.ShuttingDownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writes problems as {@code application/problem+json}. Thread-safe. */
public final class Problems {

    public static final String MEDIA_TYPE = "application/problem+json";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String contract;

    /** @param contract where the contract is published, which every problem links to */
    public Problems(String contract) {
        this.contract = contract;
    }

    public Reply response(Problem problem, String detail) {
        return response(
                problem, problem.status(), detail, problem.retryable() ? Optional.of(RETRY_AFTER) : Optional.empty());
    }

    /** With another status than usual. */
    public Reply response(Problem problem, int status, String detail) {
        return response(problem, status, detail, Optional.empty());
    }

    public Reply response(Problem problem, String detail, Duration retryAfter) {
        return response(problem, problem.status(), detail, Optional.of(retryAfter));
    }

    /** What a failure of Refrain itself is to the client. Messages of the store stay inside: they may name hosts and tables. */
    public Reply response(RefrainException failure) {
        return switch (failure) {
            case MalformedKeyException e -> response(e.repeated() ? Problem.KEY_REPEATED : Problem.KEY_MALFORMED, text(e));
            case InvalidKeyException e -> response(Problem.KEY_MALFORMED, text(e));
            case QuotaReachedException e ->
                response(Problem.TOO_MANY_KEYS, "Nothing ran. Keys already in use are still answered.");
            case ShuttingDownException e -> response(Problem.SHUTTING_DOWN, "Nothing ran. Send the same request again.");
            case OutcomeUnknownException e -> unconfirmed();
            case UnreadableOutcomeException e ->
                response(Problem.ANSWER_UNREADABLE, "Nothing ran now. Ask the operator of this API.");
            case UnknownRecipeException e ->
                response(
                        Problem.STORE_UNAVAILABLE,
                        "Nothing ran. It cannot be said here whether this is the same request.");
            default ->
                response(Problem.STORE_UNAVAILABLE, "Send the same request under the same key later: that is safe.");
        };
    }

    /** It ran, and nobody knows yet what became of it. */
    public Reply unconfirmed() {
        return response(
                Problem.OUTCOME_UNCONFIRMED,
                "It may have taken effect. Send the same request under the same key: it finds out and is safe.");
    }

    private Reply response(Problem problem, int status, String detail, Optional<Duration> retryAfter) {
        var body = JsonNodeFactory.instance.objectNode();
        body.put("type", problem.type());
        body.put("title", problem.title());
        body.put("status", status);
        body.put("detail", detail);
        body.put("retryable", problem.retryable());
        var headers = new ArrayList<Header>();
        headers.add(new Header("Content-Type", MEDIA_TYPE));
        headers.add(new Header("Cache-Control", "no-store"));
        headers.add(new Header("Link", "<" + contract + "#" + problem.slug() + ">; rel=\"describedby\""));
        retryAfter.ifPresent(after -> headers.add(new Header(
                "Retry-After", Long.toString(Math.max(1, after.plusMillis(999).toSeconds())))));
        return new Reply(status, headers, Payload.of(JSON.writeValueAsBytes(body)));
    }

    private static String text(RefrainException e) {
        return Optional.ofNullable(e.getMessage()).orElse("");
    }
}
