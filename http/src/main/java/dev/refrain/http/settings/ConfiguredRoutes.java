package dev.refrain.http.settings;

import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The routes that a configuration names, checked when they are read. Where two hold for the same request the narrower one does; two of
 * which neither is the narrower are refused, so the order in which they are written means nothing. Immutable.
 */
public final class ConfiguredRoutes {

    private final List<ConfiguredRoute> narrowFirst;

    private ConfiguredRoutes(List<ConfiguredRoute> narrowFirst) {
        this.narrowFirst = narrowFirst;
    }

    /**
     * What is said of one route.
     *
     * @param path where that stands
     * @param route the route by itself: what is said, over what holds for all
     */
    public record ConfiguredRoute(String path, RouteSettings settings, Route route) {

        /** How its handler runs, if that is said. */
        public Optional<OperationMode> mode() {
            return Optional.ofNullable(settings.mode()).map(word -> SettingParser.mode(path + ".mode", word));
        }

        /** What is said over what the code declares. */
        public RoutePolicy applyTo(RoutePolicy declared) {
            return settings.applyTo(declared, path);
        }

        private boolean covers(ConfiguredRoute other) {
            return route.covers(other.route);
        }
    }

    /**
     * @param path where they stand, such as {@code refrain.routes}
     * @param settings by the name of each
     * @param forAll what holds for all routes
     * @throws IllegalArgumentException if a setting is wrong, with its path and what it may be
     */
    public static ConfiguredRoutes findCovering(String path, Map<String, RouteSettings> settings, RoutePolicy forAll) {
        var all = new ArrayList<ConfiguredRoute>();
        settings.forEach((name, said) -> all.add(said(path + "." + name, said, forAll)));
        for (int i = 0; i < all.size(); i++) {
            for (var other : all.subList(i + 1, all.size())) {
                requireOneNarrower(all.get(i), other);
            }
        }
        // What covers another covers all that the other does, and the other.
        return new ConfiguredRoutes(all.stream()
                .sorted(Comparator.comparingLong(
                        said -> all.stream().filter(said::covers).count()))
                .toList());
    }

    private static ConfiguredRoute said(String path, RouteSettings settings, RoutePolicy forAll) {
        String match = settings.match();
        if (match == null || match.isBlank()) {
            throw new IllegalArgumentException(path + ".match is not set; it may be like POST /payments/{id}/capture.");
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
                            + ") hold for the same requests, and neither is the narrower one; leave one of them out, or make one cover the other.");
        }
    }

    /** All of them, the narrower ones first. */
    public List<ConfiguredRoute> all() {
        return narrowFirst;
    }

    /**
     * What is said of something that the code declares: the narrowest that covers all of it.
     *
     * @param name what the code calls it
     * @param routes what of HTTP leads to it
     * @throws IllegalArgumentException if something is said of a part of it only
     */
    public Optional<ConfiguredRoute> findCovering(String name, List<Route> routes) {
        for (var said : narrowFirst) {
            if (routes.stream().allMatch(said.route()::covers)) {
                return Optional.of(said);
            }
            if (routes.stream().anyMatch(said.route()::overlaps)) {
                throw new IllegalArgumentException(said.path() + ".match is '"
                        + said.settings().match()
                        + "', which is only a part of what leads to " + name + ": "
                        + String.join(
                                ", ",
                                routes.stream().map(ConfiguredRoutes::text).toList()) + ". Name all of it.");
            }
        }
        return Optional.empty();
    }

    private static String text(Route route) {
        return String.join(",", route.methods().stream().sorted().toList()) + " " + route.path();
    }
}
