package dev.refrain.spring.mvc;

import dev.refrain.http.servlet.RefrainFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Stands right before the handlers. One that is to be protected does not run for a request that the filter took for another: because a
 * filter behind it changed the path or the method, or because it was forwarded from elsewhere.
 */
record UnfilteredRequestGuard(Supplier<MvcRouteFinder> handlers) implements HandlerInterceptor {

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method
                && !RefrainFilter.wasFiltered(request)
                && handlers.get().isProtected(request.getMethod(), method)) {
            throw new IllegalStateException(method
                    + " is @Idempotent, but this request came to it by a way on which it is not protected. Put the filter that"
                    + " rewrites it in front of Refrain's (refrain.http.filter-order), and do not forward to it.");
        }
        return true;
    }
}
