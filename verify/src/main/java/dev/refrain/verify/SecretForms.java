package dev.refrain.verify;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Forms in which an API may echo a credential: as it is, escaped for JSON or HTML, encoded for a URL, in base64, or quoted. */
final class SecretForms {

    private static final Pattern UNICODE = Pattern.compile("\\\\u([0-9a-f]{4})");
    private static final Pattern PERCENT = Pattern.compile("%[0-9A-Fa-f]{2}");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{8,}={0,2}");
    private static final Pattern UNSAFE_IN_PAGES = Pattern.compile("[<>&'=+]");
    private static final int SHORTEST_PART = 4;

    private SecretForms() {}

    static Set<String> of(String secret) {
        var plain = new LinkedHashSet<String>();
        plain.add(secret);
        decoded(plain, secret);
        var forms = new LinkedHashSet<String>();
        for (String text : plain) {
            forms.add(text);
            String json = jsonEscaped(text);
            forms.add(json);
            forms.add(json.replace("/", "\\/"));
            for (String escaped : List.of(unicodeEscaped(json), unicodeEscaped(json.replace("/", "\\/")))) {
                forms.add(escaped);
                forms.add(UNICODE.matcher(escaped)
                        .replaceAll(found -> "\\\\u" + found.group(1).toUpperCase(Locale.ROOT)));
            }
            forms.add(jsonEscaped(json));
            forms.add(htmlEscaped(text));
            String form = URLEncoder.encode(text, StandardCharsets.UTF_8);
            for (String encoded : List.of(form, form.replace("+", "%20"))) {
                forms.add(encoded);
                forms.add(PERCENT.matcher(encoded)
                        .replaceAll(found -> found.group().toLowerCase(Locale.ROOT)));
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            forms.add(Base64.getEncoder().encodeToString(bytes));
            forms.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
            forms.add(Base64.getUrlEncoder().encodeToString(bytes));
            forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        forms.removeIf(form -> form.length() < SHORTEST_PART);
        return forms;
    }

    /** Adds what basic credentials say: user and password, together and alone. */
    private static void decoded(Set<String> plain, String secret) {
        if (!BASE64.matcher(secret).matches()) {
            return;
        }
        try {
            String pair = new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon >= 0 && pair.chars().noneMatch(Character::isISOControl)) {
                plain.add(pair);
                plain.add(pair.substring(colon + 1));
            }
        } catch (IllegalArgumentException notEncoded) {
            // It only looked like base64.
        }
    }

    private static String jsonEscaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Escapes what careful JSON writers do not put into a page as it is. */
    private static String unicodeEscaped(String text) {
        return UNSAFE_IN_PAGES
                .matcher(text)
                .replaceAll(
                        found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
    }

    private static String htmlEscaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
