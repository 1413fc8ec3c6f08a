package dev.refrain.gateway;

import dev.refrain.gateway.Rules.Guarded;
import dev.refrain.gateway.scope.ScopeUnavailableException;
import dev.refrain.http.Entrance;
import dev.refrain.http.Exchange;
import dev.refrain.http.Flowing;
import dev.refrain.http.HttpRequest;
import dev.refrain.http.Protection;
import dev.refrain.http.Transacted;
import dev.refrain.http.problem.Problem;
import dev.refrain.outcome.Payload;
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

    private final Supplier<Rules> current;
    private final UpstreamProxy proxy;
    private final Upgrading upgrading;
    private final Bounds bounds;
    private final Traces traces;

    GatewayHandler(Supplier<Rules> current, UpstreamProxy proxy, Upgrading upgrading, Bounds bounds, Traces traces) {
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
        var request = PacedRequest.of(asSent, bounds);
        traces.begin(request, response);
        var rules = current.get();
        rules.attachTo(request);
        try {
            return handle(rules, request, response, callback);
        } catch (ScopeUnavailableException away) {
            LOG.log(System.Logger.Level.WARNING, String.valueOf(away.getMessage()));
            Outcome.REFUSED.attachTo(request);
            Answers.send(
                    response,
                    callback,
                    rules.problems()
                            .response(
                                    Problem.STORE_UNAVAILABLE,
                                    "It cannot be found out now who sends it.",
                                    Duration.ofSeconds(1)));
            return true;
        }
    }

    /** To observe must refuse nobody. */
    private static Optional<String> scope(Rules rules, Protection protection, Request request) {
        try {
            return rules.scopeOf(request);
        } catch (ScopeUnavailableException away) {
            if (protection.observes()) {
                return Optional.empty();
            }
            throw away;
        }
    }

    private boolean handle(Rules rules, Request request, Response response, Callback callback) {
        if (request.getMethod().equals("CONNECT")) {
            // That is asked of a proxy that leads anywhere.
            Outcome.REFUSED.attachTo(request);
            Response.writeError(request, response, callback, HttpStatus.NOT_IMPLEMENTED_501);
            return true;
        }
        var own = rules.gatewayReply(request);
        if (own.isPresent()) {
            Answers.send(response, callback, own.get());
            return true;
        }
        if (Upgrading.isUpgradeRequest(request)) {
            Outcome.PASSED.attachTo(request);
            upgrading.handle(rules, request, response, callback);
            return true;
        }
        var route = rules.find(request);
        if (route.isEmpty()) {
            return pass(request, response, callback);
        }
        Traces.route(request, route.get().protection().route().path().text());
        return protect(rules, route.get(), request, response, callback);
    }

    private boolean pass(Request request, Response response, Callback callback) {
        Outcome.PASSED.attachTo(request);
        return proxy.handle(request, response, callback);
    }

    private boolean protect(Rules rules, Guarded route, Request request, Response response, Callback callback) {
        var protection = route.protection();
        if (protection.bypassesByHeaders(asked(request, "", NOTHING))) {
            return pass(request, response, callback);
        }
        var scope = scope(rules, protection, request);
        if (scope.isEmpty() && protection.observes()) {
            return pass(request, response, callback);
        }
        Outcome.REFUSED.attachTo(request);
        if (scope.isEmpty()) {
            Answers.send(response, callback, protection.unknownCallerResponse());
            return true;
        }
        var refused = protection.refuseByHeaders(asked(request, scope.get(), NOTHING));
        if (refused.isPresent()) {
            Answers.send(response, callback, refused.get());
            return true;
        }
        RequestBody body;
        try {
            body = RequestBody.read(request, protection.policy().request().maxBytes());
        } catch (IOException unread) {
            // Nothing has been claimed.
            Refusals.unread(request, response, callback, unread);
            return true;
        }
        return switch (body) {
            case RequestBody.TooLarge large -> {
                if (protection.observes()) {
                    yield pass(large.unread(request), response, callback);
                }
                Answers.send(response, callback, protection.tooLargeResponse());
                yield true;
            }
            case RequestBody.Whole whole -> enter(rules, route, scope.get(), request, whole, response, callback);
        };
    }

    private boolean enter(
            Rules rules,
            Guarded route,
            String scope,
            Request request,
            RequestBody.Whole body,
            Response response,
            Callback callback) {
        Entrance entrance;
        try (var noted = Outcome.track(request)) {
            entrance = route.protection().decide(asked(request, scope, body.bytes()));
        }
        switch (entrance) {
            case Entrance.PassThrough free -> {
                return pass(body.unread(request), response, callback);
            }
            case Entrance.Answered answered -> Answers.send(response, callback, answered.reply());
            case Exchange exchange -> {
                var crossing = new Crossing(proxy, request, body.bytes(), route, exchange);
                // The service behind is given up if nothing is read from it for as long as it has to answer.
                var longest = route.upstream().timeout().dividedBy(2);
                var client = new Client(request, response, callback, longest);
                new ProtectedRun(exchange, crossing, route, rules.problems(), client).run();
            }
            case Transacted never -> throw new IllegalStateException("Transactional routes are refused at the start.");
            case Flowing never -> throw new IllegalStateException("Routes of flows are refused at the start.");
        }
        return true;
    }

    private static HttpRequest asked(Request request, String scope, Payload body) {
        return new HttpRequest(
                request.getMethod(),
                Rules.path(request),
                Optional.ofNullable(request.getHttpURI().getQuery()).orElse(""),
                Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                        .orElse(""),
                name -> request.getHeaders().getValuesList(name),
                body,
                scope,
                Optional.empty());
    }
}
