package dev.refrain.verify;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** One route of an API: a method and a path, with an optional query. Immutable. */
public record VerifiedRoute(String method, String path) {

    private static final Set<String> UNSAFE_METHODS = Set.of("POST", "PATCH", "PUT", "DELETE");

    private static final Pattern SYNTAX = Pattern.compile("([A-Za-z]+)\\s+(/\\S*)");

    /**
     * Parses a route such as {@code POST /payments}.
     *
     * @throws InvalidVerifySettingsException if the text is not a method and a path
     */
    public static VerifiedRoute parse(String text) {
        var parsed = SYNTAX.matcher(text.strip());
        if (!parsed.matches()) {
            throw new InvalidVerifySettingsException(
                    "'" + text + "' is not a route: use a method and a path, for example 'POST /payments'.");
        }
        return new VerifiedRoute(parsed.group(1).toUpperCase(Locale.ROOT), parsed.group(2));
    }

    /**
     * Parses a route that changes data, which is what keys protect.
     *
     * @throws InvalidVerifySettingsException if it is not a POST, PATCH, PUT or DELETE route
     */
    public static VerifiedRoute changing(String text) {
        var route = parse(text);
        if (!UNSAFE_METHODS.contains(route.method)) {
            throw new InvalidVerifySettingsException(
                    "'" + text + "': keys protect POST, PATCH, PUT and DELETE, not " + route.method + ".");
        }
        return route;
    }

    /** Resolves the route below the path of the base URL. */
    URI at(URI base, String moreQuery) {
        String start = base.toString();
        String whole = (start.endsWith("/") ? start.substring(0, start.length() - 1) : start) + path;
        return moreQuery.isEmpty()
                ? URI.create(whole)
                : URI.create(whole + (path.contains("?") ? "&" : "?") + moreQuery);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
