package dev.refrain.http.edge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Where an edge serves what is Refrain's own.
 *
 * @param application the path that the whole application is below; empty at the root of its server
 * @param base below that, such as {@code /refrain}: the contract is at {@code /refrain/contract}, a status below {@code
 *     /refrain/status/}
 */
public record RefrainEndpointPaths(String application, String base) {

    public static final RefrainEndpointPaths DEFAULT = new RefrainEndpointPaths("/refrain");

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    public RefrainEndpointPaths {
        if (!application.isEmpty() && (!application.startsWith("/") || application.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "application: '" + application + "' must begin with a slash and not end with one.");
        }
        if (!base.startsWith("/") || base.endsWith("/")) {
            throw new IllegalArgumentException(
                    "base-path: '" + base + "' must begin with a slash and not end with one.");
        }
    }

    /** At the root of the server. */
    public RefrainEndpointPaths(String base) {
        this("", base);
    }

    /** The same in an application below a path. */
    public RefrainEndpointPaths underPath(String path) {
        return new RefrainEndpointPaths(path, base);
    }

    /** Where something is that the application has at this path. */
    public String resolve(String path) {
        return application + path;
    }

    /** Whether this may be one of them. */
    public boolean contains(String path) {
        return path.startsWith(resolve(base));
    }

    public String contract() {
        return resolve(base) + "/contract";
    }

    public String contractJson() {
        return resolve(base) + "/contract.json";
    }

    /** The key is the client's own; to others its status says nothing, because they ask in another scope. */
    public String status(String key) {
        return resolve(base) + "/status/" + ENCODER.encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    /** A path as it may stand in a log: a key in it is its client's own. */
    public String redactKey(String path) {
        String before = resolve(base) + "/status/";
        return path.startsWith(before) ? before + "{key}" : path;
    }

    /** The key whose status is asked for; empty if the path is no status's. */
    public Optional<String> keyFromPath(String path) {
        String before = resolve(base) + "/status/";
        if (!path.startsWith(before)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new String(Base64.getUrlDecoder().decode(path.substring(before.length())), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
