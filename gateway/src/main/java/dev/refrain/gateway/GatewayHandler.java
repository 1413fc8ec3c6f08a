package dev.refrain.gateway;

import dev.refrain.api.Payload;
import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.config.ClientConnectionLimits;
import dev.refrain.gateway.scope.ScopeUnavailableException;
import dev.refrain.http.edge.EdgeRequest;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.ProblemType;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The walk of a request through the gateway, on a virtual thread of its own.
 *
 * <p>Of the refusals that come before the work it sees its own: a key that is missing or malformed (400), an unknown caller (401), a body
 * over the limit (413). What the service behind refuses is an answer like any other.
 */
final class GatewayHandler extends Handler.Wrapper {

    private static final System.Logger LOG = System.getLogger(GatewayHandler.class.getName());
    private static final Payload NOTHING = Payload.of(new byte[0]);

    private final Supplier<GatewayRuleSet> current;
    private final UpstreamProxy proxy;
    private final WebSocketUpgradeProxy upgrading;
    private final ClientConnectionLimits bounds;
    private final GatewayTracer traces;

    GatewayHandler(
            Supplier<GatewayRuleSet> current,
            UpstreamProxy proxy,
            WebSocketUpgradeProxy upgrading,
            ClientConnectionLimits bounds,
            GatewayTracer traces) {
        super(proxy);
        this.current = current;
        this.proxy = proxy;
        this.upgrading = upgrading;
        this.bounds = bounds;
        this.traces = traces;
    }

    @Override
    public boolean handle(Request asSent, Response response, Callback callback) {
        // A client that waits for its answer does not stand still: how long that takes is said for the service behind.
        asSent.addIdleTimeoutListener(timeout -> false);
        var request = SlowBodyGuard.of(asSent, bounds);
        traces.begin(request, response);
        var rules = current.get();
        rules.attachTo(request);
        try {
            return handle(rules, request, response, callback);
        } catch (ScopeUnavailableException away) {
            LOG.log(System.Logger.Level.WARNING, String.valueOf(away.getMessage()));
            GatewayRequestOutcome.REFUSED.attachTo(request);
            JettyReplyWriter.send(
                    response,
                    callback,
                    rules.problems()
                            .response(
                                    ProblemType.STORE_UNAVAILABLE,
                                    "It cannot be found out now who sends it.",
                                    Duration.ofSeconds(1)));
            return true;
        }
    }

    /** To observe must refuse nobody. */
    private static Optional<String> scope(GatewayRuleSet rules, RouteProtection protection, Request request) {
        try {
            return rules.scopeOf(request);
        } catch (ScopeUnavailableException away) {
            if (protection.observes()) {
                return Optional.empty();
            }
            throw away;
        }
    }

    private boolean handle(GatewayRuleSet rules, Request request, Response response, Callback callback) {
        if (request.getMethod().equals("CONNECT")) {
            // That is asked of a proxy that leads anywhere.
            GatewayRequestOutcome.REFUSED.attachTo(request);
            Response.writeError(request, response, callback, HttpStatus.NOT_IMPLEMENTED_501);
            return true;
        }
        var own = rules.gatewayReply(request);
        if (own.isPresent()) {
            JettyReplyWriter.send(response, callback, own.get());
            return true;
        }
        if (WebSocketUpgradeProxy.isUpgradeRequest(request)) {
            GatewayRequestOutcome.PASSED.attachTo(request);
            upgrading.handle(rules, request, response, callback);
            return true;
        }
        var route = rules.find(request);
        if (route.isEmpty()) {
            return pass(request, response, callback);
        }
        GatewayTracer.route(request, route.get().protection().route().path().text());
        return protect(rules, route.get(), request, response, callback);
    }

    private boolean pass(Request request, Response response, Callback callback) {
        GatewayRequestOutcome.PASSED.attachTo(request);
        return proxy.handle(request, response, callback);
    }

    private boolean protect(
            GatewayRuleSet rules, ProtectedRoute route, Request request, Response response, Callback callback) {
        var protection = route.protection();
        if (protection.bypassesByHeaders(asked(request, "", NOTHING))) {
            return pass(request, response, callback);
        }
        var scope = scope(rules, protection, request);
        if (scope.isEmpty() && protection.observes()) {
            return pass(request, response, callback);
        }
        GatewayRequestOutcome.REFUSED.attachTo(request);
        if (scope.isEmpty()) {
            JettyReplyWriter.send(response, callback, protection.unknownCallerResponse());
            return true;
        }
        var refused = protection.refuseByHeaders(asked(request, scope.get(), NOTHING));
        if (refused.isPresent()) {
            JettyReplyWriter.send(response, callback, refused.get());
            return true;
        }
        GatewayRequestBody body;
        try {
            body = GatewayRequestBody.read(
                    request, protection.policy().request().maxBytes());
        } catch (IOException unread) {
            // Nothing has been claimed.
            GatewayErrorHandler.unread(request, response, callback, unread);
            return true;
        }
        return switch (body) {
            case GatewayRequestBody.TooLarge large -> {
                if (protection.observes()) {
                    yield pass(large.unread(request), response, callback);
                }
                JettyReplyWriter.send(response, callback, protection.tooLargeResponse());
                yield true;
            }
            case GatewayRequestBody.Whole whole -> enter(rules, route, scope.get(), request, whole, response, callback);
        };
    }

    private boolean enter(
            GatewayRuleSet rules,
            ProtectedRoute route,
            String scope,
            Request request,
            GatewayRequestBody.Whole body,
            Response response,
            Callback callback) {
        RequestDecision entrance;
        try (var noted = GatewayRequestOutcome.track(request)) {
            entrance = route.protection().decide(asked(request, scope, body.bytes()));
        }
        switch (entrance) {
            case RequestDecision.PassThrough free -> {
                return pass(body.unread(request), response, callback);
            }
            case RequestDecision.ImmediateResponse answered ->
                JettyReplyWriter.send(response, callback, answered.reply());
            case LeasedExchange exchange -> {
                var crossing = new UpstreamForwarder(proxy, request, body.bytes(), route, exchange);
                // The service behind is given up if nothing is read from it for as long as it has to answer.
                var longest = route.upstream().timeout().dividedBy(2);
                var client = new ClientReplyStream(request, response, callback, longest);
                new ProtectedRequestRun(exchange, crossing, route, rules.problems(), client).run();
            }
            case TransactionalExchange never ->
                throw new IllegalStateException("Transactional routes are refused at the start.");
            case FlowExchange never -> throw new IllegalStateException("Routes of flows are refused at the start.");
        }
        return true;
    }

    private static EdgeRequest asked(Request request, String scope, Payload body) {
        return new EdgeRequest(
                request.getMethod(),
                GatewayRuleSet.path(request),
                Optional.ofNullable(request.getHttpURI().getQuery()).orElse(""),
                Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                        .orElse(""),
                name -> request.getHeaders().getValuesList(name),
                body,
                scope,
                Optional.empty());
    }
}
