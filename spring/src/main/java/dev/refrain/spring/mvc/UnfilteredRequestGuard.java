package dev.refrain.spring.mvc;

import dev.refrain.http.servlet.RefrainFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Rejects requests that reach a protected handler without protection: a later filter changed the path or the method, or the
 * request was forwarded to the handler. Runs as the last interceptor.
 */
record UnfilteredRequestGuard(Supplier<MvcRouteFinder> handlers) implements HandlerInterceptor {

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method
                && !RefrainFilter.wasFiltered(request)
                && handlers.get().isProtected(request.getMethod(), method)) {
            throw new IllegalStateException(
                    method
                            + " is @Idempotent, but this request reached it unprotected. Order the filter that"
                            + " rewrites the request before Refrain's (refrain.http.filter-order), and do not forward to the handler.");
        }
        return true;
    }
}
