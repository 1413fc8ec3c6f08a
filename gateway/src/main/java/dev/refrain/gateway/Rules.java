package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.scope.ScopeSource;
import dev.refrain.http.Places;
import dev.refrain.http.Protection;
import dev.refrain.http.Reply;
import dev.refrain.http.StatusResource;
import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.PathReadings;
import dev.refrain.http.problem.Problem;
import dev.refrain.http.problem.Problems;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Everything that holds for one request. Immutable: whoever changes the configuration makes new ones, for the requests that follow. */
final class Rules {

    private static final String ATTRIBUTE = Rules.class.getName();

    private final Target target;
    private final ScopeSource scopes;
    private final Places places;
    private final List<Guarded> routes;
    private final Problems problems;
    private final PublishedContract contract;
    private final StatusResource status;

    /** A route, ready to be asked. */
    record Guarded(Protection protection, UpstreamRules upstream) {}

    Rules(Refrain refrain, Policies policies) {
        this.target = policies.target();
        this.scopes = policies.scopes();
        this.places = policies.places();
        this.problems = new Problems(places.contract());
        this.routes = policies.routes().stream()
                .map(route -> guarded(
                        Protection.leased(refrain, policies.namespace(), route.route(), places), route.upstream()))
                .toList();
        this.contract = new PublishedContract(
                policies.routes().stream().map(GatewayRoute::route).toList(), places, EnumSet.allOf(Problem.class));
        this.status = new StatusResource(refrain, policies.namespace(), places);
    }

    private Guarded guarded(Protection protection, UpstreamRules upstream) {
        return new Guarded(protection, protection.observes() ? upstream.forObserveMode(target.idle()) : upstream);
    }

    /** From now on they hold for this request, whatever is configured meanwhile. */
    void attachTo(Request request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    static Rules of(Request request) {
        return Objects.requireNonNull(
                (Rules) request.getAttribute(ATTRIBUTE), "Every request is given its rules when it comes.");
    }

    Target target() {
        return target;
    }

    Problems problems() {
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
    Optional<Guarded> find(Request request) {
        var uri = request.getHttpURI();
        var readings = PathReadings.of(
                path(request), Optional.ofNullable(uri.getCanonicalPath()).orElse(""));
        return routes.stream()
                .filter(route -> route.protection().route().matches(request.getMethod(), readings))
                .findFirst();
    }

    PublishedContract contract() {
        return contract;
    }

    /** What the gateway itself serves. */
    Optional<Reply> gatewayReply(Request request) {
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

    /** The path without what is secret in it. */
    static String pathToLog(Request request) {
        var rules = (Rules) request.getAttribute(ATTRIBUTE);
        return rules == null ? path(request) : rules.places.redactKey(path(request));
    }

    /** As it was sent. */
    static String path(Request request) {
        return Optional.ofNullable(request.getHttpURI().getPath()).orElse("");
    }
}
