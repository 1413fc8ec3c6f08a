package dev.refrain.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses queries and form bodies, for hosts that do not. The first value of a repeated name counts. */
public final class UrlEncodedFormParser {

    private UrlEncodedFormParser() {}

    public static Map<String, String> parse(@Nullable String encoded) {
        Map<String, String> fields = new HashMap<>();
        if (encoded != null) {
            for (String pair : encoded.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    fields.putIfAbsent(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
        }
        return fields;
    }

    /** Parses the body of a form; empty for other content types. */
    public static Map<String, String> parse(String contentType, byte[] body) {
        return contentType.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded")
                ? parse(new String(body, StandardCharsets.UTF_8))
                : Map.of();
    }

    /** Keeps text that is not valid percent-encoding as it is. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
