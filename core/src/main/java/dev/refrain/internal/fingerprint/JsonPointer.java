package dev.refrain.internal.fingerprint;

import dev.refrain.internal.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** RFC 6901 pointer to something inside a document (never the whole document). */
public record JsonPointer(String text, List<String> tokens) implements Comparable<JsonPointer> {

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

    public static JsonPointer parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("A field is named by a JSON pointer such as /amount or /card/number, or"
                    + " /name for a form's field; '" + text + "' does not start with a slash.");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("The JSON pointer holds an unpaired surrogate.");
        }
        var tokens = new ArrayList<String>();
        for (String raw : text.substring(1).split("/", -1)) {
            tokens.add(unescaped(raw, text));
        }
        return new JsonPointer(text, List.copyOf(tokens));
    }

    private static String unescaped(String raw, String pointer) {
        for (int at = raw.indexOf('~'); at >= 0; at = raw.indexOf('~', at + 1)) {
            if (!raw.startsWith("0", at + 1) && !raw.startsWith("1", at + 1)) {
                throw new IllegalArgumentException("In the JSON pointer '" + pointer
                        + "' a tilde is followed by neither 0 nor 1. Write ~0 for a tilde and ~1 for a slash.");
            }
        }
        return raw.replace("~1", "/").replace("~0", "~");
    }

    Optional<JsonValue> in(JsonValue document) {
        Optional<JsonValue> at = Optional.of(document);
        for (String token : tokens) {
            at = at.flatMap(value -> child(value, token));
        }
        return at;
    }

    private static Optional<JsonValue> child(JsonValue value, String token) {
        return switch (value) {
            case JsonValue.JsonObject members ->
                Optional.ofNullable(members.byName().get(token));
            case JsonValue.JsonArray elements -> element(elements.inOrder(), token);
            case JsonValue.JsonString text -> Optional.empty();
            case JsonValue.JsonNumber numeral -> Optional.empty();
            case JsonValue.Literal literal -> Optional.empty();
        };
    }

    private static Optional<JsonValue> element(List<JsonValue> elements, String token) {
        if (!INDEX.matcher(token).matches()) {
            return Optional.empty();
        }
        int index = Integer.parseInt(token);
        return index < elements.size() ? Optional.of(elements.get(index)) : Optional.empty();
    }

    @Override
    public int compareTo(JsonPointer other) {
        return text.compareTo(other.text);
    }
}
