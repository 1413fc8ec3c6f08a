package dev.refrain.http.servlet;

import dev.refrain.http.Protection;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Says which protection holds for a request, if any. */
@FunctionalInterface
public interface RouteFinder {

    Optional<Protection> find(HttpServletRequest request);

    /**
     * The first route that matches the method and the path below the application's context: as it was sent, or as the container
     * reads it. Of two readings either is enough, since the handler may go by either.
     */
    static RouteFinder firstOf(List<Protection> routes) {
        var all = List.copyOf(routes);
        return request -> {
            for (var protection : all) {
                for (String path : readings(request)) {
                    if (protection.route().matches(request.getMethod(), path)) {
                        return Optional.of(protection);
                    }
                }
            }
            return Optional.empty();
        };
    }

    private static Set<String> readings(HttpServletRequest request) {
        String read = request.getServletPath()
                + Optional.ofNullable(request.getPathInfo()).orElse("");
        var all = new LinkedHashSet<String>();
        for (String path : List.of(pathOf(request), read)) {
            if (path.startsWith("/")) {
                all.add(path);
                all.add(path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
            }
        }
        return all;
    }

    /** The path below the application's context, as sent. */
    static String pathOf(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }
}
