package dev.refrain.gateway;

import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.internal.config.ClientConnectionLimits;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.TransactionalExchange;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The walk of a request through the gateway, on a virtual thread of its own.
 *
 * <p>Of the refusals that come before the work it sees its own: a key that is missing or malformed (400), an unknown caller (401), a body
 * over the limit (413), a body for which there is no memory (503). What the service behind refuses is an answer like any other.
 */
final class GatewayHandler extends Handler.Wrapper {

    private final Supplier<GatewayRuleSet> current;
    private final UpstreamProxy proxy;
    private final WebSocketUpgradeProxy upgrading;
    private final ClientConnectionLimits bounds;
    private final GatewayTracer traces;
    private final BufferBudget budget;
    private final RequestsUnderWay underWay;

    GatewayHandler(
            Supplier<GatewayRuleSet> current,
            UpstreamProxy proxy,
            WebSocketUpgradeProxy upgrading,
            ClientConnectionLimits bounds,
            GatewayTracer traces,
            BufferBudget budget,
            RequestsUnderWay underWay) {
        super(proxy);
        this.current = current;
        this.proxy = proxy;
        this.upgrading = upgrading;
        this.bounds = bounds;
        this.traces = traces;
        this.budget = budget;
        this.underWay = underWay;
    }

    @Override
    public boolean handle(Request asSent, Response response, Callback callback) {
        // A client that waits for its answer is not idle: the timeout of the upstream limits that wait.
        asSent.addIdleTimeoutListener(timeout -> false);
        underWay.begin(asSent);
        var request = SlowBodyGuard.of(asSent, bounds);
        traces.begin(request, response);
        var rules = current.get();
        rules.attachTo(request);
        var memory = budget.open(Request.getRemoteAddr(asSent));
        // Called once, after the handler has ended and the last byte of the response is written, or the client is gone.
        Request.addCompletionListener(asSent, failure -> memory.close());
        return handle(rules, request, response, callback, memory);
    }

    private boolean handle(
            GatewayRuleSet rules, Request request, Response response, Callback callback, BufferReservation memory) {
        if (request.getMethod().equalsIgnoreCase("CONNECT")) {
            // That is asked of a proxy that leads anywhere.
            GatewayErrorHandler.refuse(
                    request,
                    response,
                    callback,
                    HttpStatus.NOT_IMPLEMENTED_501,
                    "This gateway opens no tunnels. Send the request itself.");
            return true;
        }
        var unforwardable = rules.headCheck().refusal(request);
        if (unforwardable.isPresent()) {
            GatewayErrorHandler.refuse(
                    request,
                    response,
                    callback,
                    unforwardable.get().status(),
                    unforwardable.get().detail());
            return true;
        }
        var own = rules.endpoints().find(request.getMethod(), GatewayRuleSet.path(request), memory);
        if (own.isEmpty() && WebSocketUpgradeProxy.isUpgradeRequest(request)) {
            if (refusedAsMalformed(rules, request, response, callback)) {
                return true;
            }
            GatewayRequestOutcome.PASSED.attachTo(request);
            upgrading.handle(rules, request, response, callback);
            return true;
        }
        var route = own.isPresent() ? Optional.<ProtectedRoute>empty() : rules.find(request);
        route.ifPresent(found ->
                GatewayTracer.route(request, found.protection().route().path().text()));
        var first = own.or(() -> route.map(found -> found.protection().begin(JettyTranslation.head(request), memory)))
                .orElseGet(() -> rules.uncovered().decide(request));
        var translation = new JettyTranslation(request, rules, memory);
        RequestDecision decision;
        try {
            decision = first.decide(translation);
        } catch (IOException unread) {
            // Nothing has been claimed.
            GatewayRequestOutcome.REFUSED.attachTo(request);
            GatewayErrorHandler.unread(request, response, callback, unread);
            return true;
        }
        return run(decision, route, translation, response, callback);
    }

    private boolean run(
            RequestDecision decision,
            Optional<ProtectedRoute> route,
            JettyTranslation asked,
            Response response,
            Callback callback) {
        switch (decision) {
            case RequestDecision.PassThrough free -> {
                if (refusedAsMalformed(asked.rules(), asked.request(), response, callback)) {
                    return true;
                }
                var outcome = GatewayRequestOutcome.of(free.origin());
                (route.isEmpty() && asked.rules().uncovered().hasKey(asked.request())
                                ? GatewayRequestOutcome.UNPROTECTED
                                : outcome)
                        .attachTo(asked.request());
                return proxy.handle(asked.unread(), response, callback);
            }
            case RequestDecision.ImmediateResponse answered -> {
                GatewayRequestOutcome.of(answered.reply().origin()).attachTo(asked.request());
                JettyReplyWriter.send(response, callback, answered.reply());
            }
            case LeasedExchange exchange -> forward(exchange, route.orElseThrow(), asked, response, callback);
            case TransactionalExchange never ->
                throw new IllegalStateException("Transactional routes are refused at the start.");
            case FlowExchange never -> throw new IllegalStateException("Routes of flows are refused at the start.");
        }
        return true;
    }

    /** Refuses a request that would pass if its target could be forwarded as it was sent. That of a protected one is checked on its walk. */
    private static boolean refusedAsMalformed(
            GatewayRuleSet rules, Request request, Response response, Callback callback) {
        if (RequestTarget.isUtf8(request)) {
            return false;
        }
        GatewayRequestOutcome.REFUSED.attachTo(request);
        JettyReplyWriter.send(response, callback, rules.problems().malformedTarget());
        return true;
    }

    private void forward(
            LeasedExchange exchange,
            ProtectedRoute route,
            JettyTranslation asked,
            Response response,
            Callback callback) {
        var request = asked.request();
        var crossing = new UpstreamForwarder(proxy, request, asked.body(), route, exchange, asked.memory());
        // The service behind is given up if nothing is read from it for as long as it has to answer.
        var longest = route.upstream().timeout().dividedBy(2);
        var client = new ClientReplyStream(request, response, callback, longest);
        var rules = asked.rules();
        var log = ForwardingLog.of(request, exchange.key(), exchange.claim().recordId(), rules.loggedKeys());
        underWay.name(request, log);
        new ProtectedRequestRun(exchange, crossing, route, rules.problems(), client, log).run();
    }
}
