package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.config.GatewayRoute;
import dev.refrain.gateway.config.ReloadableGatewayConfig;
import dev.refrain.gateway.config.UpstreamEndpoint;
import dev.refrain.gateway.config.UpstreamPolicy;
import dev.refrain.gateway.scope.GatewayScopeResolver;
import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.ProblemResponses;
import dev.refrain.http.edge.ProblemType;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RouteProtection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Routes, scope and upstream that apply to a request. Immutable: a changed configuration makes a new one for later requests. */
final class GatewayRuleSet {

    private static final String ATTRIBUTE = GatewayRuleSet.class.getName();

    private final UpstreamEndpoint target;
    private final GatewayScopeResolver scopes;
    private final RefrainEndpointPaths places;
    private final List<ProtectedRoute> routes;
    private final ProblemResponses problems;
    private final PublishedRouteContract contract;
    private final KeyStatusEndpoint status;

    /** Route with its protection and the policy of its upstream. */
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
                policies.routes().stream().map(GatewayRoute::route).toList(), places, EnumSet.allOf(ProblemType.class));
        this.status = new KeyStatusEndpoint(refrain, policies.namespace(), places);
    }

    private ProtectedRoute guarded(RouteProtection protection, UpstreamPolicy upstream) {
        return new ProtectedRoute(
                protection, protection.observes() ? upstream.forObserveMode(target.idle()) : upstream);
    }

    /** Binds these rules to the request, whatever is configured while it runs. */
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

    /** Returns whether this header claims an identity that its sender is not trusted to claim. */
    boolean isForged(String header, Request request) {
        return scopes.mustBeStripped(header, request);
    }

    /** Finds the first route that matches the path in any way the service may read it. */
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

    /** Answers requests for the gateway's own pages; empty for all others. */
    Optional<EdgeResponse> gatewayReply(Request request) {
        String path = path(request);
        if (!places.contains(path) || !request.getMethod().equals("GET")) {
            return Optional.empty();
        }
        if (path.equals(places.contract())) {
            return Optional.of(contract.html());
        }
        if (path.equals(places.contractJson())) {
            return Optional.of(contract.json());
        }
        return places.keyFromPath(path).flatMap(key -> scopeOf(request).map(scope -> status.statusOf(scope, key)));
    }

    /** Returns the path with the key in it redacted. */
    static String pathToLog(Request request) {
        var rules = (GatewayRuleSet) request.getAttribute(ATTRIBUTE);
        return rules == null ? path(request) : rules.places.redactKey(path(request));
    }

    /** Returns the path as the client sent it. */
    static String path(Request request) {
        return Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
    }
}
