package dev.refrain.http.servlet;

import dev.refrain.http.RequestPathVariants;
import dev.refrain.http.edge.RouteProtection;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;

/** Says which protection holds for a request, if any. */
@FunctionalInterface
public interface RouteFinder {

    Optional<RouteProtection> find(HttpServletRequest request);

    /** The first route that matches the method and the path below the application's context, in any way it may be read. */
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

    /** The path below the application's context, as sent. */
    static String pathOf(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }
}
