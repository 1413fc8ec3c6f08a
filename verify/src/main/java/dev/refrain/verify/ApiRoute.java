package dev.refrain.verify;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** One route of an API: a method, and a path with its query if it has one. */
public record ApiRoute(String method, String path) {

    private static final Set<String> CHANGING = Set.of("POST", "PATCH", "PUT", "DELETE");

    private static final Pattern WRITTEN = Pattern.compile("([A-Za-z]+)\\s+(/\\S*)");

    /** @param text such as {@code POST /payments} */
    public static ApiRoute parse(String text) {
        var written = WRITTEN.matcher(text.strip());
        if (!written.matches()) {
            throw new InvalidVerifySettingsException(
                    "'" + text + "' is not a route: say the method and the path, such as 'POST /payments'.");
        }
        return new ApiRoute(written.group(1).toUpperCase(Locale.ROOT), written.group(2));
    }

    /** A route that is protected by keys, and so one that changes something. */
    public static ApiRoute changing(String text) {
        var route = parse(text);
        if (!CHANGING.contains(route.method)) {
            throw new InvalidVerifySettingsException(
                    "'" + text + "': keys protect POST, PATCH, PUT and DELETE, not " + route.method + ".");
        }
        return route;
    }

    /** Where it is: below the path that the base has. */
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
