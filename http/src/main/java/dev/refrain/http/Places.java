package dev.refrain.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Where an edge serves what is Refrain's own.
 *
 * @param base such as {@code /refrain}: the contract is at {@code /refrain/contract}, a status below {@code /refrain/status/}
 */
public record Places(String base) {

    public static final Places DEFAULT = new Places("/refrain");

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    public Places {
        if (!base.startsWith("/") || base.endsWith("/")) {
            throw new IllegalArgumentException(
                    "base-path: '" + base + "' must begin with a slash and not end with one.");
        }
    }

    public String contract() {
        return base + "/contract";
    }

    public String contractJson() {
        return base + "/contract.json";
    }

    /** The key is the client's own; to others its status says nothing, because they ask in another scope. */
    public String status(String key) {
        return base + "/status/" + ENCODER.encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    /** The key whose status is asked for; empty if the path is no status's. */
    public Optional<String> keyIn(String path) {
        String before = base + "/status/";
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
