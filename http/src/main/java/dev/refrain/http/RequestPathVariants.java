package dev.refrain.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * All readings of a request path that a handler might use: as sent; decoded, without path parameters and with repeated slashes
 * merged; as the container reads it; and each of these with dot segments resolved and without a trailing slash. A route matches
 * if it matches any of them.
 */
public record RequestPathVariants(Set<String> all) {

    /**
     * Collects the variants of a path.
     *
     * @param sent the path as sent, relative to the context path
     * @param others the path as the container reads it
     */
    public static RequestPathVariants of(String sent, String... others) {
        var all = new LinkedHashSet<String>();
        add(all, sent);
        add(all, plain(sent));
        for (String other : others) {
            add(all, other);
        }
        return new RequestPathVariants(all);
    }

    private static void add(Set<String> all, String path) {
        if (path.startsWith("/")) {
            all.add(path);
            String resolved = path.contains("/.") ? resolved(path) : path;
            all.add(resolved);
            all.add(
                    resolved.length() > 1 && resolved.endsWith("/")
                            ? resolved.substring(0, resolved.length() - 1)
                            : resolved);
        }
    }

    private static String resolved(String path) {
        var segments = new ArrayList<String>();
        for (String segment : path.substring(1).split("/", -1)) {
            if (segment.equals("..")) {
                if (!segments.isEmpty()) {
                    segments.removeLast();
                }
            } else if (!segment.equals(".")) {
                segments.add(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    private static String plain(String path) {
        if (path.indexOf('%') < 0 && path.indexOf(';') < 0 && !path.contains("//")) {
            return path;
        }
        String bare = path.replaceAll(";[^/]*", "").replace("+", "%2B");
        try {
            return URLDecoder.decode(bare, StandardCharsets.UTF_8).replaceAll("//+", "/");
        } catch (IllegalArgumentException notEncoded) {
            return path;
        }
    }
}
