package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.internal.config.GatewayConfigException;
import dev.refrain.gateway.internal.config.GatewayRoute;
import dev.refrain.gateway.internal.config.ReloadableGatewayConfig;
import dev.refrain.gateway.internal.config.UpstreamEndpoint;
import dev.refrain.gateway.internal.config.UpstreamPolicy;
import dev.refrain.gateway.internal.scope.GatewayScopeResolver;
import dev.refrain.http.KeySource;
import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.contract.PublishedOutcomes;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.ContractAndStatusPages;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.ProblemResponses;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.observe.LoggedKeyFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Routes, scope and upstream that apply to a request. Immutable: a changed configuration makes a new one for later requests. */
final class GatewayRuleSet {

    private static final String ATTRIBUTE = GatewayRuleSet.class.getName();

    private final UpstreamEndpoint target;
    private final GatewayScopeResolver scopes;
    private final ContractAndStatusPaths places;
    private final List<ProtectedRoute> routes;
    private final ProblemResponses problems;
    private final UncoveredRequests uncovered;
    private final ForwardableHeadCheck headCheck;
    private final UpstreamOutcomeHeader outcomeHeader;
    private final LoggedKeyFormat loggedKeys;
    private final PublishedRouteContract contract;
    private final ContractAndStatusPages endpoints;

    /** Route with its protection and the policy of its upstream. */
    record ProtectedRoute(RouteProtection protection, UpstreamPolicy upstream) {}

    GatewayRuleSet(Refrain refrain, ReloadableGatewayConfig policies) {
        this.target = policies.target();
        this.scopes = policies.scopes();
        this.places = policies.places();
        this.problems = new ProblemResponses(places.contract());
        this.routes = policies.routes().stream()
                .map(route -> guarded(protection(refrain, policies, route), route.upstream()))
                .toList();
        this.uncovered = new UncoveredRequests(refrain, policies.others(), routes, problems);
        this.headCheck = new ForwardableHeadCheck(
                scopes,
                routes.stream()
                        .flatMap(route -> route.protection().policy().key().sources().stream())
                        .filter(KeySource.Header.class::isInstance)
                        .map(source -> ((KeySource.Header) source).name())
                        .toList());
        this.outcomeHeader = new UpstreamOutcomeHeader(refrain.listener());
        this.loggedKeys = policies.loggedKeys();
        this.contract = new PublishedRouteContract(
                policies.routes().stream().map(GatewayRoute::route).toList(),
                places,
                List.of(GatewayProblem.values()),
                route -> policies.routes().stream()
                        .filter(each -> each.route().equals(route))
                        .findFirst()
                        .map(each -> each.upstream().outcomes(route.policy()))
                        .orElseGet(() -> PublishedOutcomes.of(route.policy())));
        this.endpoints =
                new ContractAndStatusPages(refrain, policies.namespace(), places, contract::html, contract::json);
    }

    /** @throws GatewayConfigException if the store cannot do what the route demands of it */
    private static RouteProtection protection(Refrain refrain, ReloadableGatewayConfig policies, GatewayRoute route) {
        try {
            return RouteProtection.leased(
                    refrain,
                    policies.namespace(),
                    route.route().with(route.route().policy().key(key -> key.with(policies.loggedKeys()))),
                    policies.places(),
                    UpstreamForwarder.steps(route.upstream()));
        } catch (IllegalArgumentException refused) {
            throw new GatewayConfigException(String.valueOf(refused.getMessage()), refused);
        }
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

    /** Returns the rules for requests that no route covers. */
    UncoveredRequests uncovered() {
        return uncovered;
    }

    /** Returns the check of heads that cannot be forwarded as they are meant. */
    ForwardableHeadCheck headCheck() {
        return headCheck;
    }

    UpstreamOutcomeHeader outcomeHeader() {
        return outcomeHeader;
    }

    LoggedKeyFormat loggedKeys() {
        return loggedKeys;
    }

    PublishedRouteContract contract() {
        return contract;
    }

    /** Returns the pages that the gateway itself serves. */
    ContractAndStatusPages endpoints() {
        return endpoints;
    }

    /** Returns the path with the key in it redacted. */
    static String pathToLog(Request request) {
        var rules = (GatewayRuleSet) request.getAttribute(ATTRIBUTE);
        return rules == null ? path(request) : rules.places.redactKey(path(request));
    }

    /** Returns the path as the client sent it. */
    static String path(Request request) {
        return RequestTarget.path(request);
    }
}
