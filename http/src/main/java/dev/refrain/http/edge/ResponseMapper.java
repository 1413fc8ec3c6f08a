package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.api.RefrainException;
import dev.refrain.api.StoredFailure;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.store.StoreOverloadedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Maps results of an operation to HTTP responses. Thread-safe. */
final class ResponseMapper {

    private static final System.Logger LOG = System.getLogger(ResponseMapper.class.getName());
    private static final String RESPOND_ASYNC = "respond-async";

    private final Route route;
    private final ContractAndStatusPaths places;
    private final ProblemResponses problems;
    private final OverloadLog overloads;

    ResponseMapper(Route route, ContractAndStatusPaths places, ProblemResponses problems) {
        this.route = route;
        this.places = places;
        this.problems = problems;
        this.overloads = new OverloadLog(route.name());
    }

    EdgeResponse toResponse(OperationResult result, KeyedRequest request) {
        return switch (result) {
            case OperationResult.Ran ran -> EdgeResponse.of(ran.answer(), new ResponseOrigin.RanNow());
            case OperationResult.Replayed replayed ->
                replay(replayed.outcome()).withOrigin(new ResponseOrigin.StoredReplay(replayed.waited()));
            case OperationResult.InProgress running ->
                inFlight(running.retryAfter(), request).withOrigin(new ResponseOrigin.StillRunning());
            case OperationResult.Mismatch mismatch -> mismatch();
            case OperationResult.Attention attention -> attention();
        };
    }

    EdgeResponse toResponse(RefrainException failure, KeyedRequest request) {
        if (failure instanceof OutcomeUnknownException unknown) {
            UnknownOutcomeLog.unconfirmed(request, unknown);
        } else if (failure instanceof StoreOverloadedException) {
            return overloaded();
        } else {
            LOG.log(System.Logger.Level.WARNING, () -> route.name() + ": " + failure.getMessage(), failure);
        }
        return problems.response(failure);
    }

    EdgeResponse overloaded() {
        overloads.refuse();
        return problems.overloaded();
    }

    /**
     * Creates the outcome for a handler's exception where failures are stored; the client learns only that the request failed.
     */
    Outcome.Answer failed(Throwable failure) {
        LOG.log(
                System.Logger.Level.ERROR,
                () -> route.name() + " failed; the failure is stored as its outcome",
                failure);
        var reply = problems.response(
                EdgeProblem.HANDLER_FAILED,
                "The failure is stored as the outcome of this key, and retries get it too. It may have taken effect in part: find out before"
                        + " you send it again under a new key.");
        return reply.toAnswer();
    }

    private EdgeResponse replay(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answer answer)) {
            return problems.response(
                    EdgeProblem.ANSWER_NOT_KEPT,
                    "It took effect and will not run again. A new intent needs a new key.");
        }
        var reply = replay(problems, answer);
        return route.policy().marksReplays()
                ? reply.withHeader(new AnswerHeader(RouteProtection.REPLAYED, "true"))
                : reply;
    }

    /**
     * Replays a stored outcome. A failure may come from a non-HTTP operation that shares these keys; its details are not for the
     * client.
     */
    static EdgeResponse replay(ProblemResponses problems, Outcome.Answer answer) {
        return StoredFailure.fromAnswer(answer).isPresent()
                ? problems.response(
                        EdgeProblem.HANDLER_FAILED, "It failed before, and that failure is the outcome of this key.")
                : EdgeResponse.of(answer, new ResponseOrigin.StoredReplay(false));
    }

    private EdgeResponse inFlight(Duration retryAfter, KeyedRequest request) {
        boolean async = route.policy().run().inFlight() instanceof InFlightPolicy.Async;
        if (!async && !(request.prefersAsync() && mayBeAsync())) {
            return problems.response(
                    EdgeProblem.IN_PROGRESS,
                    "Send the same request under the same key again a little later.",
                    retryAfter);
        }
        var headers = new ArrayList<>(List.of(
                new AnswerHeader("Content-Type", "application/json"),
                new AnswerHeader("Cache-Control", "no-store"),
                new AnswerHeader("Location", places.status(request.call().key())),
                new AnswerHeader("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())))));
        if (request.prefersAsync()) {
            headers.add(new AnswerHeader("Preference-Applied", RESPOND_ASYNC));
        }
        return new EdgeResponse(
                202,
                headers,
                Payload.of("{\"state\":\"running\"}".getBytes(StandardCharsets.US_ASCII)),
                new ResponseOrigin.StillRunning());
    }

    private boolean mayBeAsync() {
        return !(route.policy().run().mode() instanceof OperationMode.Transactional);
    }

    private EdgeResponse mismatch() {
        return problems.response(
                EdgeProblem.KEY_REUSED,
                route.policy().replay().profile().mismatchStatus(),
                "Method, path, query or body differ from the request that this key was first used for. A new intent needs a new key.");
    }

    private EdgeResponse attention() {
        return problems.response(
                EdgeProblem.OUTCOME_UNKNOWN,
                "It will not run again until an operator has resolved it. Ask the operator of this API.");
    }
}
