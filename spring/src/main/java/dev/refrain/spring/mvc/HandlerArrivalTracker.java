package dev.refrain.spring.mvc;

import dev.refrain.http.servlet.RefrainFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Sees whether a request came as far as its handler. As the last interceptor it is asked right before the handler runs; as the filter
 * behind Refrain's it says that nothing happened if it never was: a filter, an interceptor or the check of the origin (CORS) has
 * refused. Such a refusal does not consume the key. Where it is not among the interceptors it knows nothing, and says nothing.
 */
final class HandlerArrivalTracker implements HandlerInterceptor, jakarta.servlet.Filter {

    private static final String REACHED = HandlerArrivalTracker.class.getName() + ".reached";
    private static final String EXPECTED = HandlerArrivalTracker.class.getName() + ".expected";

    /** @param chain what Spring is going to ask for this request */
    static void expect(HttpServletRequest request, HandlerExecutionChain chain) {
        if (chain.getInterceptorList().stream().anyMatch(HandlerArrivalTracker.class::isInstance)) {
            request.setAttribute(EXPECTED, true);
        }
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        request.setAttribute(REACHED, true);
        return true;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } finally {
            if (request.getAttribute(EXPECTED) != null && request.getAttribute(REACHED) == null) {
                RefrainFilter.claim(request).ifPresent(EarlyRefusalDetector::releaseKey);
            }
        }
    }
}
