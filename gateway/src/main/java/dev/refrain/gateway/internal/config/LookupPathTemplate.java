package dev.refrain.gateway.internal.config;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Path with a placeholder for the key, such as {@code /payments/by-key/{key}}. */
public record LookupPathTemplate(String text) {

    private static final String PLACE = "{key}";

    public LookupPathTemplate {
        if (!text.startsWith("/") || !text.contains(PLACE)) {
            throw new IllegalArgumentException(
                    "'" + text + "' must be a path with the key in it, such as /payments?key=" + PLACE + ".");
        }
    }

    public String expand(String key) {
        return text.replace(
                PLACE, URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20"));
    }
}
