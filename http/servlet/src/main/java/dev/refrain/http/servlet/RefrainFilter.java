package dev.refrain.http.servlet;

import dev.refrain.Refrain;
import dev.refrain.api.Claim;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RefrainEndpoints;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RequestStep;
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
import java.util.Optional;
import java.util.function.Function;

/**
 * Protects the routes of a servlet application. Put it behind whatever authenticates and authorises, in front of the handlers,
 * for the dispatches REQUEST and ASYNC, and let it support asynchronous requests.
 *
 * {@snippet :
 * var filter = RefrainFilter.builder(refrain)
 *         .scope(ScopeResolver.principal())
 *         .route("POST /payments", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)))
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

    /** The routes, and what is served beside them. */
    record ServedRoutes(RefrainEndpoints endpoints, RouteFinder routes) {}

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
                served.endpoints().paths().underPath(config.getServletContext().getContextPath()));
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
        var translation = new ServletTranslation(request, scopes);
        var decision = begin(request).decide(translation);
        run(decision, translation.request(), response, chain);
    }

    private RequestStep begin(HttpServletRequest request) {
        var endpoints = served.endpoints();
        return endpoints
                .find(request.getMethod(), endpoints.paths().resolve(RouteFinder.pathOf(request)))
                .or(() -> served.routes().find(request).map(protection -> {
                    request.setAttribute(SEEN, true);
                    return protection.begin(ServletTranslation.head(request));
                }))
                .orElseGet(RequestDecision.PassThrough::unprotected);
    }

    private void run(
            RequestDecision decision, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        switch (decision) {
            case RequestDecision.PassThrough free -> chain.doFilter(request, response);
            case RequestDecision.ImmediateResponse answered -> CapturedServletResponse.send(response, answered.reply());
            case LeasedExchange exchange ->
                LeasedServletExchange.of(exchange, request, response, errors).run(chain);
            case FlowExchange flowing ->
                new FlowServletExchange(
                                request, response, flowing.policy().replay().maxBytes())
                        .run(flowing, chain);
            case TransactionalExchange transacted ->
                new TransactionalServletExchange(transacted, request, response, errors).run(chain);
        }
    }
}
