package dev.refrain.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The ways in which a path may be read: as it was sent; decoded, without the parameters of its segments and with slashes that follow
 * each other as one; as a container reads it; and each with its dot segments resolved and without the slash at its end. A handler may
 * go by any of them, so any is enough for a route to hold.
 */
public record RequestPathVariants(Set<String> all) {

    /**
     * @param sent below the application's own path
     * @param others how the container reads it
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
