package dev.refrain.http.contract;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.DurationText;
import dev.refrain.api.Payload;
import dev.refrain.http.KeyPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.EdgeProblem;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.ProblemType;
import dev.refrain.http.edge.ResponseOrigin;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.internal.json.JsonText;
import dev.refrain.internal.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Published contract of all protected routes, as the IETF draft requires: an HTML page, JSON, and additions to an OpenAPI
 * document. Thread-safe.
 */
public final class PublishedRouteContract {

    private final List<Route> routes;
    private final ContractAndStatusPaths places;
    private final List<ProblemType> problems;
    private final Function<Route, PublishedOutcomes> outcomes;

    public PublishedRouteContract(List<Route> routes, ContractAndStatusPaths places) {
        this(routes, places, List.of(), route -> PublishedOutcomes.of(route.policy()));
    }

    /**
     * Creates the contract.
     *
     * @param more problem types of this edge, in addition to those of every edge
     * @param outcomes what each route stores
     */
    public PublishedRouteContract(
            List<Route> routes,
            ContractAndStatusPaths places,
            List<? extends ProblemType> more,
            Function<Route, PublishedOutcomes> outcomes) {
        this.routes = List.copyOf(routes);
        this.places = places;
        this.outcomes = outcomes;
        this.problems = Stream.concat(Arrays.stream(EdgeProblem.values()), more.stream())
                .toList();
    }

    public List<Route> routes() {
        return routes;
    }

    public EdgeResponse html() {
        return reply("text/html; charset=utf-8", ContractPage.of(this, problems, places.contractJson()));
    }

    /** Returns the path at which clients read the contract. */
    public String path() {
        return places.contract();
    }

    /** Returns the path of a route as clients send it. */
    public String path(Route route) {
        return places.resolve(route.path().text());
    }

    /** Returns what a route stores, and what it does with failures. */
    public PublishedOutcomes outcomes(Route route) {
        return outcomes.apply(route);
    }

    /** Lists the methods of a route, for people. */
    public static String methods(Route route) {
        return String.join(", ", new TreeSet<>(route.methods()));
    }

    public EdgeResponse json() {
        return reply("application/json", JsonText.indented(JsonValue.of(described())));
    }

    private static EdgeResponse reply(String type, String text) {
        return new EdgeResponse(
                200,
                List.of(
                        new AnswerHeader("Content-Type", type),
                        new AnswerHeader("Content-Security-Policy", "default-src 'none'"),
                        new AnswerHeader("X-Content-Type-Options", "nosniff")),
                Payload.of(text.getBytes(StandardCharsets.UTF_8)),
                new ResponseOrigin.OwnPage());
    }

    private Map<String, Object> described() {
        var contract = new LinkedHashMap<String, Object>();
        contract.put("routes", routes.stream().map(this::described).toList());
        contract.put(
                "problems",
                problems.stream().map(PublishedRouteContract::described).toList());
        return contract;
    }

    private static Map<String, Object> described(ProblemType problem) {
        var described = new LinkedHashMap<String, Object>();
        described.put("type", problem.type());
        described.put("title", problem.title());
        described.put("status", problem.status());
        described.put("retryable", problem.retryable());
        return described;
    }

    private Map<String, Object> described(Route route) {
        var policy = route.policy();
        var described = new LinkedHashMap<String, Object>();
        described.put("operation", route.name());
        described.put("methods", new TreeSet<>(route.methods()));
        described.put("path", path(route));
        described.put("key", described(policy.key()));
        described.put("mode", policy.run().mode().toString());
        described.put("inFlight", policy.run().inFlight().toString());
        var stored = outcomes(route);
        described.put("kept", stored.kept());
        described.put("failures", stored.failures());
        described.put(
                "retention",
                policy.replay().retention().duration().map(Object::toString).orElse("for ever"));
        described.put("mismatch", policy.replay().profile().mismatchStatus());
        described.put("maxRequestBytes", policy.request().maxRequestBytes());
        described.put("maxKeptAnswerBytes", policy.replay().maxOutcomeBytes());
        if (policy.run().requireCorrectStore()) {
            described.put("requireCorrectStore", true);
        }
        if (policy.marksReplays()) {
            described.put("replaysSay", RouteProtection.REPLAYED + ": true");
        }
        return described;
    }

    private static Map<String, Object> described(KeyPolicy key) {
        var described = new LinkedHashMap<String, Object>();
        described.put("required", key.requirement().toString());
        described.put("sources", key.sources().stream().map(KeySource::toString).toList());
        described.put("syntax", syntax(key));
        described.put("minBytes", key.rules().minBytes());
        described.put("maxBytes", key.rules().maxBytes());
        key.rules().pattern().ifPresent(shape -> described.put("pattern", shape.pattern()));
        return described;
    }

    static String syntax(KeyPolicy key) {
        return key.syntax() == KeySyntax.STRICT ? "\"…\" (RFC 9651)" : "\"…\" (RFC 9651) or bare";
    }

    /** A status that protection adds to a route. */
    public record Refusal(int status, String description) {}

    /** Lists the statuses that protection adds to a route, lowest first; none for an observed route. */
    public static List<Refusal> refusals(RoutePolicy policy) {
        if (observes(policy)) {
            return List.of();
        }
        int mismatch = policy.replay().profile().mismatchStatus();
        var refusals = new ArrayList<Refusal>();
        refusals.add(new Refusal(
                400,
                "The idempotency key is missing or malformed"
                        + (mismatch == 400 ? ", or was used for another request." : ".")));
        refusals.add(new Refusal(
                409,
                "The same request is in progress, or its outcome is unknown"
                        + (mismatch == 409 ? ", or the key was used for another request." : ".")));
        refusals.add(new Refusal(413, "The request is too large."));
        if (mismatch != 400 && mismatch != 409) {
            refusals.add(new Refusal(mismatch, "The idempotency key was used for another request."));
        }
        refusals.add(new Refusal(
                503,
                "The request was not run, was rolled back, still runs, or its outcome is not confirmed yet; the problem says which."
                        + " Sending it again under the same key is safe."));
        return refusals;
    }

    /** Lists the headers that may carry a route's key, the preferred one first. */
    public static List<String> headers(RoutePolicy policy) {
        return policy.key().sources().stream()
                .filter(KeySource.Header.class::isInstance)
                .map(KeySource::toString)
                .toList();
    }

    /** Returns true if a request without that header is rejected, because no other source may carry the key. */
    public static boolean isRequired(RoutePolicy policy) {
        return policy.key().requirement() == KeyRequirement.REQUIRED
                && policy.key().sources().size() == 1;
    }

    public static String describe(RoutePolicy policy) {
        return "A new value for each intent, the same for its retries, such as a UUID. "
                + (observes(policy)
                        ? "Only observed for now: a retry runs again."
                        : "Kept for "
                                + policy.replay()
                                        .retention()
                                        .duration()
                                        .map(DurationText::of)
                                        .orElse("ever")
                                + (policy.replay().keepStateOnly()
                                        ? "; a retry is told that it is done."
                                        : "; a retry gets the same response."));
    }

    private static boolean observes(RoutePolicy policy) {
        return policy.key().requirement() == KeyRequirement.OBSERVE;
    }
}
