package dev.refrain.http.servlet;

import dev.refrain.Refrain;
import dev.refrain.api.Claim;
import dev.refrain.api.Payload;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.EdgeRequest;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalExchange;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Protects the routes of a servlet application. Put it behind whatever authenticates and authorises, in front of the handlers,
 * for the dispatches REQUEST and ASYNC, and let it support asynchronous requests.
 *
 * {@snippet :
 * var filter = RefrainFilter.on(refrain)
 *         .scope(ScopeResolver.principal())
 *         .route("POST /payments", Policy.of(Mode.leased(TakeOver.RESUME)))
 *         .build();
 * }
 *
 * <p>It also serves the published contract and the status of requests, below {@link RefrainEndpointPaths#base}. A container that asks its filters
 * only about paths which some servlet has, as Tomcat does, needs a default servlet for that.
 *
 * <p>Of the refusals that come before the work it sees its own: a key that is missing or malformed (400), an unknown caller
 * (401), a body over the limit (413). None of them consumes a key. What the application itself refuses behind it (404, 415, a
 * body that is not valid) is an answer like any other, unless the handler says {@link Claim#doNotKeepAnswer}.
 */
public final class RefrainFilter implements Filter {

    /** The request attribute with the {@link Claim} under which the handler runs. */
    public static final String CLAIM = Claim.class.getName();

    private static final String SEEN = RefrainFilter.class.getName() + ".seen";

    private final ScopeResolver scopes;
    private final ErrorResponseWriter errors;
    private final Function<RefrainEndpointPaths, ServedRoutes> serving;
    private volatile ServedRoutes served;

    /** The routes, and what is served beside them, for clients that are told these places. */
    record ServedRoutes(
            RefrainEndpointPaths places,
            RouteFinder routes,
            KeyStatusEndpoint status,
            Supplier<PublishedRouteContract> contract) {}

    RefrainFilter(
            ScopeResolver scopes,
            ErrorResponseWriter errors,
            RefrainEndpointPaths places,
            Function<RefrainEndpointPaths, ServedRoutes> serving) {
        this.scopes = scopes;
        this.errors = errors;
        this.serving = serving;
        this.served = serving.apply(places);
    }

    /** What clients are told to look at is below the application's own path. */
    @Override
    public void init(FilterConfig config) {
        served = serving.apply(
                served.places().underPath(config.getServletContext().getContextPath()));
    }

    public static RefrainFilterBuilder builder(Refrain refrain) {
        return new RefrainFilterBuilder(refrain);
    }

    /** The claim under which this request's handler runs; empty if it is not protected. */
    public static Optional<Claim> claim(ServletRequest request) {
        return Optional.ofNullable((Claim) request.getAttribute(CLAIM));
    }

    /** Whether a request has come to a protected route here, whatever was decided about it. */
    public static boolean wasFiltered(ServletRequest request) {
        return request.getAttribute(SEEN) != null;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(LeasedServletExchange.ATTRIBUTE) instanceof LeasedServletExchange underWay) {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                underWay.run(chain, request, response);
            } else {
                chain.doFilter(request, response);
            }
        } else if (request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse answer
                && request.getDispatcherType() == DispatcherType.REQUEST) {
            filter(http, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var own = own(request);
        if (own.isPresent()) {
            CapturedServletResponse.send(response, own.get());
            return;
        }
        var protection = served.routes().find(request);
        if (protection.isEmpty()) {
            chain.doFilter(request, response);
        } else {
            protect(protection.get(), request, response, chain);
        }
    }

    private void protect(
            RouteProtection protection, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(SEEN, true);
        if (protection.bypassesByHeaders(asked(request, "", Payload.of(new byte[0])))) {
            chain.doFilter(request, response);
            return;
        }
        var scope = scopes.scopeOf(request);
        if (scope.isEmpty() && protection.observes()) {
            chain.doFilter(request, response);
            return;
        }
        if (scope.isEmpty()) {
            CapturedServletResponse.send(response, protection.unknownCallerResponse());
            return;
        }
        var refused = protection.refuseByHeaders(asked(request, scope.get(), Payload.of(new byte[0])));
        if (refused.isPresent()) {
            CapturedServletResponse.send(response, refused.get());
            return;
        }
        switch (ServletRequestBody.read(request, protection.policy().request().maxBytes())) {
            case ServletRequestBody.TooLarge body -> {
                if (protection.observes()) {
                    chain.doFilter(body.unread(), response);
                } else {
                    CapturedServletResponse.send(response, protection.tooLargeResponse());
                }
            }
            case ServletRequestBody.Whole body -> enter(protection, scope.get(), body, response, chain);
        }
    }

    private void enter(
            RouteProtection protection,
            String scope,
            ServletRequestBody.Whole body,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        switch (protection.decide(asked(body.unread(), scope, body.bytes()))) {
            case RequestDecision.PassThrough free -> chain.doFilter(body.unread(), response);
            case RequestDecision.ImmediateResponse answered -> CapturedServletResponse.send(response, answered.reply());
            case LeasedExchange exchange -> run(exchange, body.unread(), response, chain);
            case FlowExchange flowing ->
                new FlowServletExchange(
                                body.unread(),
                                response,
                                protection.policy().replay().maxBytes())
                        .run(flowing, chain);
            case TransactionalExchange transacted ->
                new TransactionalServletExchange(protection, body.unread(), response, errors).run(transacted, chain);
        }
    }

    private void run(
            LeasedExchange exchange, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(CLAIM, exchange.claim());
        exchange.extraHeaders().forEach(header -> response.setHeader(header.name(), header.value()));
        var captured = new CapturedServletResponse(
                response,
                exchange.policy().replay().maxBytes(),
                ResponseBodyBuffer.OverflowPolicy.PASS,
                exchange.claim()::keepStateOnly);
        new LeasedServletExchange(exchange, request, captured, errors).run(chain);
    }

    private static EdgeRequest asked(HttpServletRequest request, String scope, Payload body) {
        return new EdgeRequest(
                request.getMethod(),
                request.getRequestURI(),
                Optional.ofNullable(request.getQueryString()).orElse(""),
                Optional.ofNullable(request.getContentType()).orElse(""),
                name -> {
                    var values = request.getHeaders(name);
                    return values == null ? List.of() : Collections.list(values);
                },
                body,
                scope,
                Optional.empty());
    }

    /** What Refrain itself serves. */
    private Optional<EdgeResponse> own(HttpServletRequest request) {
        var places = served.places();
        String path = places.resolve(RouteFinder.pathOf(request));
        if (!places.contains(path) || !request.getMethod().equals("GET")) {
            return Optional.empty();
        }
        if (path.equals(places.contract())) {
            return Optional.of(served.contract().get().html());
        }
        if (path.equals(places.contractJson())) {
            return Optional.of(served.contract().get().json());
        }
        return places.keyFromPath(path)
                .flatMap(key ->
                        scopes.scopeOf(request).map(scope -> served.status().statusOf(scope, key)));
    }
}
