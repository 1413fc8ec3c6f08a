package dev.refrain.spring.mvc;

import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.spring.internal.handler.HandlerGate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.ModelAndView;

/**
 * Proves that a filter, an interceptor or a CORS check rejected a request: directly behind Refrain's own filter it sees the
 * request return, and as the last interceptor it has not seen it pass. A response with a success status never counts as a
 * rejection.
 */
final class HandlerGateFilter implements AsyncHandlerInterceptor, jakarta.servlet.Filter {

    private static final int REDIRECTS_AND_REFUSALS = 300;

    /**
     * Prepares the proof for a request.
     *
     * @param chain the interceptors that Spring will call for this request
     */
    static void expect(HttpServletRequest request, HandlerExecutionChain chain) {
        if (chain.getInterceptorList().stream().anyMatch(HandlerGateFilter.class::isInstance)) {
            request.setAttribute(
                    HandlerGate.ATTRIBUTE, new HandlerGate(chain.getHandler(), () -> RefrainFilter.claim(request)));
        }
    }

    static Optional<HandlerGate> gateOf(ServletRequest request) {
        return Optional.ofNullable((HandlerGate) request.getAttribute(HandlerGate.ATTRIBUTE));
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        gateOf(request).ifPresent(gate -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                gate.arrive();
            } else {
                gate.assumeBegun();
            }
        });
        return true;
    }

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView view) {
        gateOf(request).ifPresent(HandlerGate::assumeBegun);
    }

    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        gateOf(request).ifPresent(HandlerGate::assumeBegun);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var gate = gateOf(request);
        if (gate.isEmpty()) {
            chain.doFilter(request, response);
        } else if (request.getDispatcherType() == DispatcherType.REQUEST) {
            watch(gate.get(), request, response, chain);
        } else {
            // The target of the forward may not be Spring's.
            gate.get().assumeBegun();
            chain.doFilter(request, response);
        }
    }

    private static void watch(HandlerGate gate, ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean refused = true;
        try {
            chain.doFilter(request, response);
            refused = response instanceof HttpServletResponse answer && answer.getStatus() >= REDIRECTS_AND_REFUSALS;
        } finally {
            if (refused && !request.isAsyncStarted()) {
                gate.refuseAhead();
            }
            gate.assumeBegun();
        }
    }
}
