package dev.refrain.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads queries and forms, for hosts that do not. Of a name that is given twice the first counts. */
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

    /** The body of a form; of anything else nothing. */
    public static Map<String, String> parse(String contentType, byte[] body) {
        return contentType.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded")
                ? parse(new String(body, StandardCharsets.UTF_8))
                : Map.of();
    }

    /** What is no encoding is taken as it stands. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
