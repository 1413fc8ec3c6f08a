package dev.refrain.http.edge;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.api.RefrainException;
import dev.refrain.api.StoredFailure;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the protocol's answers are in HTTP. Thread-safe. */
final class ResponseMapper {

    private static final System.Logger LOG = System.getLogger(ResponseMapper.class.getName());
    private static final String RESPOND_ASYNC = "respond-async";

    private final Route route;
    private final RefrainEndpointPaths places;
    private final ProblemResponses problems;

    ResponseMapper(Route route, RefrainEndpointPaths places, ProblemResponses problems) {
        this.route = route;
        this.places = places;
        this.problems = problems;
    }

    /** @param key the client's, for the place where its status is found */
    EdgeResponse toResponse(OperationResult result, String key, boolean prefersAsync) {
        return switch (result) {
            case OperationResult.Ran ran -> EdgeResponse.of(ran.answer());
            case OperationResult.Replayed replayed -> replay(replayed.outcome());
            case OperationResult.InProgress running -> inFlight(running.retryAfter(), key, prefersAsync);
            case OperationResult.Mismatch mismatch -> mismatch();
            case OperationResult.Attention attention -> attention();
        };
    }

    EdgeResponse toResponse(RefrainException failure) {
        LOG.log(System.Logger.Level.WARNING, () -> route.name() + ": " + failure.getMessage(), failure);
        return problems.response(failure);
    }

    /** What the handler threw, where that is kept: nothing of it but that it failed is for the client. */
    Outcome.Answer failed(Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, () -> route.name() + " failed, which is kept as its outcome", failure);
        var reply = problems.response(
                ProblemType.HANDLER_FAILED, "It is kept as the answer to this key; a new attempt needs a new one.");
        return new Outcome.Answer(reply.status(), reply.headers(), reply.body());
    }

    private EdgeResponse replay(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answer answer)) {
            return problems.response(
                    ProblemType.ANSWER_NOT_KEPT, "It took effect and is not run again. A new intent needs a new key.");
        }
        var reply = replay(problems, answer);
        return route.policy().marksReplays()
                ? reply.withHeader(new OutcomeHeader(RouteProtection.REPLAYED, "true"))
                : reply;
    }

    /**
     * A failure may have been kept by an operation that is not HTTP and shares its keys with this one. What it was is not for
     * the client.
     */
    static EdgeResponse replay(ProblemResponses problems, Outcome.Answer answer) {
        return StoredFailure.fromAnswer(answer).isPresent()
                ? problems.response(ProblemType.HANDLER_FAILED, "It failed before, and that is the answer to this key.")
                : EdgeResponse.of(answer);
    }

    private EdgeResponse inFlight(Duration retryAfter, String key, boolean prefersAsync) {
        boolean async = route.policy().run().inFlight() instanceof InFlightPolicy.Async;
        if (!async && !(prefersAsync && mayBeAsync())) {
            return problems.response(
                    ProblemType.IN_PROGRESS,
                    "Send the same request under the same key again a little later.",
                    retryAfter);
        }
        var headers = new ArrayList<>(List.of(
                new OutcomeHeader("Content-Type", "application/json"),
                new OutcomeHeader("Cache-Control", "no-store"),
                new OutcomeHeader("Location", places.status(key)),
                new OutcomeHeader("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())))));
        if (prefersAsync) {
            headers.add(new OutcomeHeader("Preference-Applied", RESPOND_ASYNC));
        }
        return new EdgeResponse(
                202, headers, Payload.of("{\"state\":\"running\"}".getBytes(StandardCharsets.US_ASCII)));
    }

    private boolean mayBeAsync() {
        return !(route.policy().run().mode() instanceof OperationMode.Transactional);
    }

    private EdgeResponse mismatch() {
        return problems.response(
                ProblemType.KEY_REUSED,
                route.policy().replay().profile().mismatchStatus(),
                "Method, path, query or body differ from the request that this key was first used for. A new intent needs a new key.");
    }

    private EdgeResponse attention() {
        return problems.response(
                ProblemType.OUTCOME_UNKNOWN,
                "It is not run again until someone has found out. Ask the operator of this API.");
    }
}
