package dev.refrain.http.edge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Paths of the pages that Refrain itself serves. Immutable.
 *
 * @param application the context path of the application; empty at the root of its server
 * @param base the base path below that, such as {@code /refrain}: the contract is at {@code /refrain/contract}, the status of a
 *     key below {@code /refrain/status/}
 * @param store name of the store whose keys have their status at these paths, as a segment of their own; empty for the default one
 */
public record ContractAndStatusPaths(String application, String base, String store) {

    public static final ContractAndStatusPaths DEFAULT = new ContractAndStatusPaths("/refrain");

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    public ContractAndStatusPaths {
        if (!application.isEmpty() && (!application.startsWith("/") || application.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "application: '" + application + "' must begin with a slash and not end with one.");
        }
        if (!base.startsWith("/") || base.endsWith("/")) {
            throw new IllegalArgumentException(
                    "base-path: '" + base + "' must begin with a slash and not end with one.");
        }
        if (!store.matches("[A-Za-z0-9-]*")) {
            throw new IllegalArgumentException(
                    "store: '" + store + "' may have letters, digits and hyphens only: it is a part of a path.");
        }
    }

    /** Creates the paths of an application with one store. */
    public ContractAndStatusPaths(String application, String base) {
        this(application, base, "");
    }

    /** Creates the paths for an application at the root of its server. */
    public ContractAndStatusPaths(String base) {
        this("", base, "");
    }

    /** Returns the same paths below a context path. */
    public ContractAndStatusPaths underPath(String path) {
        return new ContractAndStatusPaths(path, base, store);
    }

    /** Returns paths on which the status of keys in a named store has an address of its own, such as {@code /refrain/status/bulk/}. */
    public ContractAndStatusPaths ofStore(String name) {
        return new ContractAndStatusPaths(application, base, name);
    }

    /** Prepends the context path to a path of the application. */
    public String resolve(String path) {
        return application + path;
    }

    /** Returns true if a path is the base path or below it. */
    public boolean contains(String path) {
        String own = resolve(base);
        return path.startsWith(own) && (path.length() == own.length() || path.charAt(own.length()) == '/');
    }

    public String contract() {
        return resolve(base) + "/contract";
    }

    public String contractJson() {
        return resolve(base) + "/contract.json";
    }

    /**
     * Returns the status path of a key. A different caller learns nothing from it, since keys are looked up in the caller's own
     * scope.
     */
    public String status(String key) {
        return statusBase() + ENCODER.encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private String statusBase() {
        return resolve(base) + "/status/" + (store.isEmpty() ? "" : store + "/");
    }

    /** Returns a path that is safe to log: the key of a status path is replaced by {@code {key}}. */
    public String redactKey(String path) {
        String before = resolve(base) + "/status/";
        return path.startsWith(before) ? before + "{key}" : path;
    }

    /** Extracts the key of a status path; empty for any other path, and for one that no key can have. */
    public Optional<String> keyFromPath(String path) {
        String before = statusBase();
        if (!path.startsWith(before)) {
            return Optional.empty();
        }
        try {
            String key =
                    new String(Base64.getUrlDecoder().decode(path.substring(before.length())), StandardCharsets.UTF_8);
            return Optional.of(key)
                    .filter(some -> !some.isEmpty() && status(some).equals(path));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
