package dev.refrain.http.servlet;

import dev.refrain.http.Protection;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;

/** Says which protection holds for a request, if any. */
@FunctionalInterface
public interface RouteFinder {

    Optional<Protection> find(HttpServletRequest request);

    /** The first route that matches the method and the path below the application's context. */
    static RouteFinder firstOf(List<Protection> routes) {
        var all = List.copyOf(routes);
        return request -> {
            String path = pathOf(request);
            for (var protection : all) {
                if (protection.route().matches(request.getMethod(), path)) {
                    return Optional.of(protection);
                }
            }
            return Optional.empty();
        };
    }

    /** The path below the application's context, as sent. */
    static String pathOf(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }
}
