package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.config.GatewayRoute;
import dev.refrain.gateway.config.ReloadableGatewayConfig;
import dev.refrain.gateway.config.UpstreamEndpoint;
import dev.refrain.gateway.config.UpstreamPolicy;
import dev.refrain.gateway.scope.GatewayScopeResolver;
import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.ProblemResponses;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RefrainEndpoints;
import dev.refrain.http.edge.RouteProtection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Everything that holds for one request. Immutable: whoever changes the configuration makes new ones, for the requests that follow. */
final class GatewayRuleSet {

    private static final String ATTRIBUTE = GatewayRuleSet.class.getName();

    private final UpstreamEndpoint target;
    private final GatewayScopeResolver scopes;
    private final RefrainEndpointPaths places;
    private final List<ProtectedRoute> routes;
    private final ProblemResponses problems;
    private final PublishedRouteContract contract;
    private final RefrainEndpoints endpoints;

    /** A route, ready to be asked. */
    record ProtectedRoute(RouteProtection protection, UpstreamPolicy upstream) {}

    GatewayRuleSet(Refrain refrain, ReloadableGatewayConfig policies) {
        this.target = policies.target();
        this.scopes = policies.scopes();
        this.places = policies.places();
        this.problems = new ProblemResponses(places.contract());
        this.routes = policies.routes().stream()
                .map(route -> guarded(
                        RouteProtection.leased(refrain, policies.namespace(), route.route(), places), route.upstream()))
                .toList();
        this.contract = new PublishedRouteContract(
                policies.routes().stream().map(GatewayRoute::route).toList(),
                places,
                List.of(UpstreamProblem.values()));
        this.endpoints = new RefrainEndpoints(
                places,
                new KeyStatusEndpoint(refrain, policies.namespace(), places),
                contract::html,
                contract::json);
    }

    private ProtectedRoute guarded(RouteProtection protection, UpstreamPolicy upstream) {
        return new ProtectedRoute(
                protection, protection.observes() ? upstream.forObserveMode(target.idle()) : upstream);
    }

    /** From now on they hold for this request, whatever is configured meanwhile. */
    void attachTo(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    static GatewayRuleSet of(Request request) {
        return Objects.requireNonNull(
                (GatewayRuleSet) request.getAttribute(ATTRIBUTE), "Every request is given its rules when it comes.");
    }

    UpstreamEndpoint target() {
        return target;
    }

    ProblemResponses problems() {
        return problems;
    }

    Optional<String> scopeOf(Request request) {
        return scopes.scopeOf(request);
    }

    /** Whether who sends this header pretends to be someone who may say it. */
    boolean isForged(String header, Request request) {
        return scopes.mustBeStripped(header, request);
    }

    /** The first route that matches, in whatever way the service behind may read the path. */
    Optional<ProtectedRoute> find(Request request) {
        var uri = request.getHttpURI();
        var readings = RequestPathVariants.of(
                path(request), Optional.ofNullable(uri.getCanonicalPath()).orElse(""));
        return routes.stream()
                .filter(route -> route.protection().route().matches(request.getMethod(), readings))
                .findFirst();
    }

    PublishedRouteContract contract() {
        return contract;
    }

    /** What the gateway itself serves. */
    RefrainEndpoints endpoints() {
        return endpoints;
    }

    /** The path without what is secret in it. */
    static String pathToLog(Request request) {
        var rules = (GatewayRuleSet) request.getAttribute(ATTRIBUTE);
        return rules == null ? path(request) : rules.places.redactKey(path(request));
    }

    /** As it was sent. */
    static String path(Request request) {
        return Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
    }
}
