package dev.refrain.http.contract;

import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.edge.EdgeProblem;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.ProblemType;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.ResponseOrigin;
import dev.refrain.http.edge.RouteProtection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The contract of all protected routes: what the draft standard asks a resource to publish, as a page for people, as JSON for
 * machines, and as what an OpenAPI document has to say about it.
 */
public final class PublishedRouteContract {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<Route> routes;
    private final RefrainEndpointPaths places;
    private final List<ProblemType> problems;

    public PublishedRouteContract(List<Route> routes, RefrainEndpointPaths places) {
        this(routes, places, List.of());
    }

    /** @param more the problems that clients may be told here, beside those of every edge */
    public PublishedRouteContract(List<Route> routes, RefrainEndpointPaths places, List<? extends ProblemType> more) {
        this.routes = List.copyOf(routes);
        this.places = places;
        this.problems = Stream.concat(Arrays.stream(EdgeProblem.values()), more.stream())
                .toList();
    }

    public List<Route> routes() {
        return routes;
    }

    public EdgeResponse html() {
        return reply("text/html; charset=utf-8", ContractPage.of(described(), places.contractJson()));
    }

    /** Where clients read it. */
    public String path() {
        return places.contract();
    }

    public EdgeResponse json() {
        return reply("application/json", JSON.writerWithDefaultPrettyPrinter().writeValueAsString(described()));
    }

    private static EdgeResponse reply(String type, String text) {
        return new EdgeResponse(
                200,
                List.of(
                        new OutcomeHeader("Content-Type", type),
                        new OutcomeHeader("Content-Security-Policy", "default-src 'none'"),
                        new OutcomeHeader("X-Content-Type-Options", "nosniff")),
                Payload.of(text.getBytes(StandardCharsets.UTF_8)),
                new ResponseOrigin.OwnPage());
    }

    private ObjectNode described() {
        var contract = JsonNodeFactory.instance.objectNode();
        var all = contract.putArray("routes");
        routes.forEach(route -> all.add(describe(route)));
        var told = contract.putArray("problems");
        for (var problem : problems) {
            told.addObject()
                    .put("type", problem.type())
                    .put("title", problem.title())
                    .put("status", problem.status())
                    .put("retryable", problem.retryable());
        }
        return contract;
    }

    private ObjectNode describe(Route route) {
        var policy = route.policy();
        var node = JsonNodeFactory.instance.objectNode();
        node.put("operation", route.name());
        var methods = node.putArray("methods");
        new TreeSet<>(route.methods()).forEach(methods::add);
        node.put("path", places.resolve(route.path().text()));
        var key = node.putObject("key");
        key.put("required", policy.key().requirement().toString());
        var sources = key.putArray("sources");
        policy.key().sources().forEach(source -> sources.add(source.toString()));
        key.put("syntax", policy.key().syntax() == KeySyntax.STRICT ? "\"…\" (RFC 9651)" : "\"…\" (RFC 9651) or bare");
        key.put("minBytes", policy.key().rules().minBytes());
        key.put("maxBytes", policy.key().rules().maxBytes());
        policy.key().rules().pattern().ifPresent(shape -> key.put("pattern", shape.pattern()));
        node.put("mode", policy.run().mode().toString());
        node.put("inFlight", policy.run().inFlight().toString());
        node.put("kept", policy.replay().profile().name());
        node.put(
                "retention",
                policy.replay().retention().duration().map(Object::toString).orElse("for ever"));
        node.put("mismatch", policy.replay().profile().mismatchStatus());
        node.put("maxRequestBytes", policy.request().maxBytes());
        node.put("maxKeptAnswerBytes", policy.replay().maxBytes());
        if (policy.marksReplays()) {
            node.put("replaysSay", RouteProtection.REPLAYED + ": true");
        }
        return node;
    }

    /** What an OpenAPI operation has to say about a protected route: a parameter, and responses by their status. */
    public static ObjectNode openApi(RoutePolicy policy) {
        var node = JsonNodeFactory.instance.objectNode();
        var parameters = node.putArray("parameters");
        headers(policy).forEach(name -> {
            var parameter = parameters.addObject();
            parameter.put("name", name);
            parameter.put("in", "header");
            parameter.put("required", isRequired(policy));
            parameter.put("description", describe(policy));
            parameter
                    .putObject("schema")
                    .put("type", "string")
                    .put("minLength", policy.key().rules().minBytes())
                    // The quotes of a structured string.
                    .put("maxLength", policy.key().rules().maxBytes() + 2);
        });
        var responses = node.putObject("responses");
        for (var refusal : refusals(policy)) {
            responses
                    .putObject(Integer.toString(refusal.status()))
                    .put("description", refusal.description())
                    .putObject("content")
                    .putObject("application/problem+json");
        }
        return node;
    }

    /** A status that protection adds to a route. */
    public record Refusal(int status, String description) {}

    /** The statuses that protection adds to a route, the lowest first. To observe adds none. */
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
        refusals.add(new Refusal(503, "The request cannot be protected now and was not run."));
        return refusals;
    }

    /** The headers that may carry a route's key, the preferred one first. */
    public static List<String> headers(RoutePolicy policy) {
        return policy.key().sources().stream()
                .filter(KeySource.Header.class::isInstance)
                .map(KeySource::toString)
                .toList();
    }

    /** Whether a request without that header is refused: only if it can stand nowhere else. */
    public static boolean isRequired(RoutePolicy policy) {
        return policy.key().requirement() == KeyRequirement.REQUIRED
                && policy.key().sources().size() == 1;
    }

    public static String describe(RoutePolicy policy) {
        return "One value for each intent, the same for its retries: a UUID, say. "
                + (observes(policy)
                        ? "Only observed as yet: a retry runs again."
                        : "Kept for "
                                + policy.replay()
                                        .retention()
                                        .duration()
                                        .map(Object::toString)
                                        .orElse("ever")
                                + "; a retry is given the same answer.");
    }

    private static boolean observes(RoutePolicy policy) {
        return policy.key().requirement() == KeyRequirement.OBSERVE;
    }
}
