package dev.refrain.http;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Requests, by method and path, that share a policy. Immutable.
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
                        + " is never protected, because it changes nothing. Use POST, PATCH, PUT or DELETE.");
            }
        }
    }

    /** Creates a route for POST and PATCH to a path. */
    public static Route postOrPatch(String path, RoutePolicy policy) {
        return new Route(path, USUAL, RoutePathPattern.of(path), policy);
    }

    /** Parses text such as {@code POST /payments/{id}/capture}; separate several methods by commas. */
    public static Route of(String methodsAndPath, RoutePolicy policy) {
        var parts = List.of(methodsAndPath.strip().split("\\s+"));
        if (parts.size() == 1) {
            return postOrPatch(parts.getFirst(), policy);
        }
        if (parts.size() != 2) {
            throw new IllegalArgumentException(
                    "route: '" + methodsAndPath + "' is not a method and a path. Write it like POST /payments/{id}.");
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

    /** Returns true if this route matches every request that the other one matches. */
    public boolean covers(Route other) {
        return methods.containsAll(other.methods) && path.covers(other.path);
    }

    /** Returns true if some request matches both routes. */
    public boolean overlaps(Route other) {
        return !Collections.disjoint(methods, other.methods) && path.overlaps(other.path);
    }

    /** Returns true if the route matches a request, in whatever case its method is written: services differ in how they read that. */
    public boolean matches(String method, RequestPathVariants readings) {
        return methods.contains(method.toUpperCase(Locale.ROOT))
                && readings.all().stream().anyMatch(path::matches);
    }
}
