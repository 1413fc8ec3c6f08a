package dev.refrain.http;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Requests that are protected alike.
 *
 * @param name the operation's name in metrics, traces and messages
 */
public record Route(String name, Set<String> methods, RoutePathPattern path, RoutePolicy policy) {

    private static final Set<String> USUAL = Set.of("POST", "PATCH");
    private static final Set<String> NEVER = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");

    public Route {
        methods = Set.copyOf(methods);
        for (String method : methods) {
            if (NEVER.contains(method)) {
                throw new IllegalArgumentException(name + ".methods: " + method
                        + " is never protected, because it changes nothing; use POST, PATCH, PUT or DELETE.");
            }
        }
    }

    /** POST and PATCH to a path. */
    public static Route postOrPatch(String path, RoutePolicy policy) {
        return new Route(path, USUAL, RoutePathPattern.of(path), policy);
    }

    /** Such as {@code POST /payments/{id}/capture}; several methods are separated by commas. */
    public static Route of(String methodsAndPath, RoutePolicy policy) {
        var parts = List.of(methodsAndPath.strip().split("\\s+"));
        if (parts.size() == 1) {
            return postOrPatch(parts.getFirst(), policy);
        }
        if (parts.size() != 2) {
            throw new IllegalArgumentException("route: '" + methodsAndPath + "' must be like POST /payments/{id}.");
        }
        var methods = new LinkedHashSet<String>();
        for (String method : parts.getFirst().split(",", -1)) {
            methods.add(method.toUpperCase(Locale.ROOT));
        }
        return new Route(methodsAndPath.strip(), methods, RoutePathPattern.of(parts.getLast()), policy);
    }

    public Route named(String other) {
        return new Route(other, methods, path, policy);
    }

    public Route with(RoutePolicy other) {
        return new Route(name, methods, path, other);
    }

    /** Whether every request that the other one matches is matched by this. */
    public boolean covers(Route other) {
        return methods.containsAll(other.methods) && path.covers(other.path);
    }

    /** Whether there is a request that both match. */
    public boolean overlaps(Route other) {
        return !Collections.disjoint(methods, other.methods) && path.overlaps(other.path);
    }

    public boolean matches(String method, RequestPathVariants readings) {
        return methods.contains(method) && readings.all().stream().anyMatch(path::matches);
    }
}
