package dev.refrain.http.servlet;

import dev.refrain.Refrain;
import dev.refrain.api.Claim;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.ContractAndStatusPages;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RequestStep;
import dev.refrain.http.edge.TransactionalExchange;
import dev.refrain.http.edge.UncoveredKeyReporter;
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
 * Servlet filter that protects the routes of an application. Register it after authentication and authorisation, before the
 * handlers, for the dispatcher types REQUEST and ASYNC, and with asynchronous support. Thread-safe.
 * {@snippet :
 * var filter = RefrainFilter.builder(refrain)
 *         .scope(ScopeResolver.principal())
 *         .route("POST /payments", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)))
 *         .build();
 * }
 *
 * <p>The filter also serves the published contract and the status of requests below {@link ContractAndStatusPaths#base}. A
 * container that calls filters only for paths mapped to a servlet, such as Tomcat, needs a default servlet for this.
 *
 * <p>The filter rejects requests before the handler for a missing or malformed key (400), an unknown caller (401), a body over
 * the limit (413) and a body for which there is no memory (503); none of these consumes a key. A rejection by the application behind the filter (404, 415, an invalid body) is
 * stored like any other response, unless the handler calls {@link Claim#doNotKeepAnswer}.
 */
public final class RefrainFilter implements Filter {

    /** Request attribute that holds the {@link Claim} under which the handler runs. */
    public static final String CLAIM = Claim.class.getName();

    private static final String SEEN = RefrainFilter.class.getName() + ".seen";

    private final ScopeResolver scopes;
    private final ErrorResponseWriter errors;
    private final BufferBudget budget;
    private final Function<ContractAndStatusPaths, ServedRoutes> serving;
    private volatile ServedRoutes served;

    /** Routes, and the endpoints served beside them. */
    record ServedRoutes(ContractAndStatusPages endpoints, RouteFinder routes, UncoveredKeyReporter uncovered) {}

    RefrainFilter(
            ScopeResolver scopes,
            ErrorResponseWriter errors,
            BufferBudget budget,
            ContractAndStatusPaths places,
            Function<ContractAndStatusPaths, ServedRoutes> serving) {
        this.scopes = scopes;
        this.errors = errors;
        this.budget = budget;
        this.serving = serving;
        this.served = serving.apply(places);
    }

    /** Prepends the context path to the paths of the contract and of the status. */
    @Override
    public void init(FilterConfig config) {
        served = serving.apply(
                served.endpoints().paths().underPath(config.getServletContext().getContextPath()));
    }

    public static RefrainFilterBuilder builder(Refrain refrain) {
        return new RefrainFilterBuilder(refrain);
    }

    /** Returns the claim under which the request's handler runs; empty if the request is not protected. */
    public static Optional<Claim> claim(ServletRequest request) {
        return Optional.ofNullable((Claim) request.getAttribute(CLAIM));
    }

    /** Returns true if this filter has handled the request for a protected route, whatever it decided. */
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
        try (var memory =
                budget.open(Optional.ofNullable(request.getRemoteAddr()).orElse(""))) {
            var translation = new ServletTranslation(request, scopes);
            var decision = begin(request, memory).decide(translation);
            run(decision, translation.request(), response, chain, memory);
            if (decision instanceof RequestDecision.PassThrough && request.isAsyncStarted()) {
                ReservationListener.closeAtEnd(memory, request.getAsyncContext());
            }
        }
    }

    private RequestStep begin(HttpServletRequest request, BufferReservation memory) {
        var endpoints = served.endpoints();
        return endpoints
                .find(request.getMethod(), endpoints.paths().resolve(RouteFinder.pathOf(request)), memory)
                .or(() -> served.routes().find(request).map(protection -> {
                    request.setAttribute(SEEN, true);
                    return protection.begin(ServletTranslation.head(request), memory);
                }))
                .orElseGet(() -> served.uncovered().pass(ServletTranslation.head(request)));
    }

    private void run(
            RequestDecision decision,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            BufferReservation memory)
            throws IOException, ServletException {
        switch (decision) {
            case RequestDecision.PassThrough free -> chain.doFilter(request, response);
            case RequestDecision.ImmediateResponse answered -> ServletResponseSender.send(response, answered.reply());
            case LeasedExchange exchange ->
                LeasedServletExchange.of(exchange, request, response, errors, memory)
                        .run(chain);
            case FlowExchange flowing ->
                new FlowServletExchange(
                                request, response, flowing.policy().replay().maxOutcomeBytes(), memory)
                        .run(flowing, chain);
            case TransactionalExchange transacted ->
                new TransactionalServletExchange(transacted, request, response, errors, memory).run(chain);
        }
    }
}
