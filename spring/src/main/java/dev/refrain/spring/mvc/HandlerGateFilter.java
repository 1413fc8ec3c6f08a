package dev.refrain.spring.mvc;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.ModelAndView;

/**
 * Proves that a filter, an interceptor or the check of the origin (CORS) refused a request: right behind Refrain's own filter it sees the
 * request come back, and as the last interceptor it did not see it pass. An answer that says success was not a refusal, whoever gave it.
 */
final class HandlerGateFilter implements AsyncHandlerInterceptor, jakarta.servlet.Filter {

    private static final int REDIRECTS_AND_REFUSALS = 300;

    /** @param chain what Spring is going to ask for this request */
    static void expect(HttpServletRequest request, HandlerExecutionChain chain) {
        if (chain.getInterceptorList().stream().anyMatch(HandlerGateFilter.class::isInstance)) {
            HandlerGate.attachTo(request);
        }
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        HandlerGate.of(request).ifPresent(gate -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                gate.arrive(handler);
            } else {
                gate.assumeBegun();
            }
        });
        return true;
    }

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView view) {
        HandlerGate.of(request).ifPresent(HandlerGate::assumeBegun);
    }

    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        HandlerGate.of(request).ifPresent(HandlerGate::assumeBegun);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var gate = HandlerGate.of(request);
        if (gate.isEmpty()) {
            chain.doFilter(request, response);
        } else if (request.getDispatcherType() == DispatcherType.REQUEST) {
            watch(gate.get(), request, response, chain);
        } else {
            // Forwarded to something that may not be Spring's.
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
                gate.refuseAhead(request);
            }
            gate.assumeBegun();
        }
    }
}
