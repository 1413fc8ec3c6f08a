package dev.refrain.http.internal.settings;

import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Routes of a configuration, validated when read. If two match the same request, the narrower one applies; two overlapping routes
 * of which neither is narrower are rejected, so their order never matters. Immutable.
 */
public final class ConfiguredRoutes {

    private final List<ConfiguredRoute> narrowFirst;

    private ConfiguredRoutes(List<ConfiguredRoute> narrowFirst) {
        this.narrowFirst = narrowFirst;
    }

    /**
     * A configured route.
     *
     * @param path the path of its settings in the configuration
     * @param route the route with its settings applied to the defaults for all routes
     */
    public record ConfiguredRoute(String path, RouteSettings settings, Route route) {

        /** Returns the configured mode, if there is one. */
        public Optional<OperationMode> mode() {
            return Optional.ofNullable(settings.mode()).map(ModeSetting::mode);
        }

        /** Returns the name of the configured store, if there is one. */
        public Optional<String> store() {
            return Optional.ofNullable(settings.store());
        }

        /** Applies the settings to a policy declared in code. */
        public RoutePolicy applyTo(RoutePolicy declared) {
            return settings.applyTo(declared, path);
        }

        private boolean covers(ConfiguredRoute other) {
            return route.covers(other.route);
        }
    }

    /**
     * Reads and validates routes.
     *
     * @param path the path of the settings, such as {@code refrain.routes}
     * @param settings the settings by route name
     * @param forAll the defaults for all routes
     * @throws IllegalArgumentException if a setting is invalid, with its path and the values it may have
     */
    public static ConfiguredRoutes findCovering(String path, Map<String, RouteSettings> settings, RoutePolicy forAll) {
        var all = new ArrayList<ConfiguredRoute>();
        settings.forEach((name, said) -> all.add(said(path + "." + name, said, forAll)));
        for (int i = 0; i < all.size(); i++) {
            for (var other : all.subList(i + 1, all.size())) {
                requireOneNarrower(all.get(i), other);
            }
        }
        // Narrower routes first: a route that covers another one also covers all that the other one covers.
        return new ConfiguredRoutes(all.stream()
                .sorted(Comparator.comparingLong(
                        said -> all.stream().filter(said::covers).count()))
                .toList());
    }

    private static ConfiguredRoute said(String path, RouteSettings settings, RoutePolicy forAll) {
        String match = settings.match();
        if (match == null || match.isBlank()) {
            throw new IllegalArgumentException(
                    path + ".match is not set. Set it to a method and a path, such as POST /payments/{id}/capture.");
        }
        var policy = settings.applyTo(forAll, path);
        Route route;
        try {
            route = Route.of(match, policy);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ".match: " + e.getMessage(), e);
        }
        String operation = settings.operation();
        return new ConfiguredRoute(path, settings, operation == null ? route : route.named(operation));
    }

    private static void requireOneNarrower(ConfiguredRoute one, ConfiguredRoute other) {
        if (one.route().overlaps(other.route()) && one.covers(other) == other.covers(one)) {
            throw new IllegalArgumentException(
                    one.path() + " (" + one.settings().match() + ") and " + other.path() + " ("
                            + other.settings().match()
                            + ") match the same requests, and neither is the narrower one. Remove one of them, or make one cover the other.");
        }
    }

    /** Returns all routes, narrower ones first. */
    public List<ConfiguredRoute> all() {
        return narrowFirst;
    }

    /**
     * Finds the narrowest configured route that covers everything that leads to a declared handler.
     *
     * @param name the handler's name in code
     * @param routes the HTTP routes that lead to the handler
     * @throws IllegalArgumentException if a configured route covers only a part of them
     */
    public Optional<ConfiguredRoute> findCovering(String name, List<Route> routes) {
        for (var said : narrowFirst) {
            if (routes.stream().allMatch(said.route()::covers)) {
                return Optional.of(said);
            }
            if (routes.stream().anyMatch(said.route()::overlaps)) {
                throw new IllegalArgumentException(said.path() + ".match is '"
                        + said.settings().match()
                        + "', which covers only some of the routes to " + name + ": "
                        + String.join(
                                ", ",
                                routes.stream().map(ConfiguredRoutes::text).toList()) + ". Match all of them.");
            }
        }
        return Optional.empty();
    }

    private static String text(Route route) {
        return String.join(",", route.methods().stream().sorted().toList()) + " " + route.path();
    }
}
