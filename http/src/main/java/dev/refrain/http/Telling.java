package dev.refrain.http;

import dev.refrain.RefrainException;
import dev.refrain.claim.ClaimResult;
import dev.refrain.http.policy.InFlightPolicy;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Route;
import dev.refrain.http.problem.Problem;
import dev.refrain.http.problem.Problems;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.run.Failure;
import dev.refrain.run.RunResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the protocol's answers are in HTTP. Thread-safe. */
final class Telling {

    private static final System.Logger LOG = System.getLogger(Telling.class.getName());
    private static final String RESPOND_ASYNC = "respond-async";

    private final Route route;
    private final Places places;
    private final Problems problems;

    Telling(Route route, Places places, Problems problems) {
        this.route = route;
        this.places = places;
        this.problems = problems;
    }

    /** @param key the client's, for the place where its status is found */
    Reply toResponse(RunResult result, String key, boolean prefersAsync) {
        return switch (result) {
            case RunResult.Ran ran -> Reply.of(ran.answer());
            case RunResult.Replayed replayed -> replay(replayed.outcome());
            case RunResult.StillRunning running -> inFlight(running.retryAfter(), key, prefersAsync);
            case RunResult.Refused refused -> refusal(refused.why());
        };
    }

    Reply toResponse(RefrainException failure) {
        LOG.log(System.Logger.Level.WARNING, () -> route.name() + ": " + failure.getMessage(), failure);
        return problems.response(failure);
    }

    /** What the handler threw, where that is kept: nothing of it but that it failed is for the client. */
    Outcome.Answer failed(Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, () -> route.name() + " failed, which is kept as its outcome", failure);
        var reply = problems.response(
                Problem.HANDLER_FAILED, "It is kept as the answer to this key; a new attempt needs a new one.");
        return new Outcome.Answer(reply.status(), reply.headers(), reply.body());
    }

    private Reply replay(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answer answer)) {
            return problems.response(
                    Problem.ANSWER_NOT_KEPT, "It took effect and is not run again. A new intent needs a new key.");
        }
        var reply = replay(problems, answer);
        return route.policy().marksReplays() ? reply.withHeader(new Header(Protection.REPLAYED, "true")) : reply;
    }

    /**
     * A failure may have been kept by an operation that is not HTTP and shares its keys with this one. What it was is not for
     * the client.
     */
    static Reply replay(Problems problems, Outcome.Answer answer) {
        return Failure.fromAnswer(answer).isPresent()
                ? problems.response(Problem.HANDLER_FAILED, "It failed before, and that is the answer to this key.")
                : Reply.of(answer);
    }

    private Reply inFlight(Duration retryAfter, String key, boolean prefersAsync) {
        boolean async = route.policy().run().inFlight() instanceof InFlightPolicy.Async;
        if (!async && !(prefersAsync && mayBeAsync())) {
            return problems.response(
                    Problem.IN_PROGRESS, "Send the same request under the same key again a little later.", retryAfter);
        }
        var headers = new ArrayList<>(List.of(
                new Header("Content-Type", "application/json"),
                new Header("Cache-Control", "no-store"),
                new Header("Location", places.status(key)),
                new Header("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())))));
        if (prefersAsync) {
            headers.add(new Header("Preference-Applied", RESPOND_ASYNC));
        }
        return new Reply(202, headers, Payload.of("{\"state\":\"running\"}".getBytes(StandardCharsets.US_ASCII)));
    }

    private boolean mayBeAsync() {
        return !(route.policy().run().mode() instanceof Mode.Transactional);
    }

    private Reply refusal(ClaimResult why) {
        return why instanceof ClaimResult.Mismatch
                ? problems.response(
                        Problem.KEY_REUSED,
                        route.policy().replay().profile().mismatchStatus(),
                        "Method, path, query or body differ from the request that this key was first used for. A new intent needs a new key.")
                : problems.response(
                        Problem.OUTCOME_UNKNOWN,
                        "It is not run again until someone has found out. Ask the operator of this API.");
    }
}
