package dev.refrain.http.servlet;

import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.edge.RouteProtection;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;

/** Finds the protection of a request, if its route has one. */
@FunctionalInterface
public interface RouteFinder {

    Optional<RouteProtection> find(HttpServletRequest request);

    /** Returns a finder of the first route that matches the method and any reading of the path below the context path. */
    static RouteFinder firstOf(List<RouteProtection> routes) {
        var all = List.copyOf(routes);
        return request -> {
            var readings = RequestPathVariants.of(
                    pathOf(request),
                    request.getServletPath()
                            + Optional.ofNullable(request.getPathInfo()).orElse(""));
            return all.stream()
                    .filter(protection -> protection.route().matches(request.getMethod(), readings))
                    .findFirst();
        };
    }

    /** Returns the path below the context path, as sent. */
    static String pathOf(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }
}
