package dev.refrain.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** An RFC 6901 pointer to something inside a document (never the whole document). */
record JsonPointer(String text, List<String> tokens) implements Comparable<JsonPointer> {

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

    static JsonPointer parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("A field is named by a JSON pointer such as /amount or /card/number, or"
                    + " /name for a form's field; '" + text + "' does not start with a slash.");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("The JSON pointer holds half of a surrogate pair.");
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
                        + "' a tilde is followed by neither 0 nor 1; write ~0 for a tilde and ~1 for a slash.");
            }
        }
        return raw.replace("~1", "/").replace("~0", "~");
    }

    Optional<Json> in(Json document) {
        Optional<Json> at = Optional.of(document);
        for (String token : tokens) {
            at = at.flatMap(value -> child(value, token));
        }
        return at;
    }

    private static Optional<Json> child(Json value, String token) {
        return switch (value) {
            case Json.Members members -> Optional.ofNullable(members.byName().get(token));
            case Json.Elements elements -> element(elements.inOrder(), token);
            case Json.Text text -> Optional.empty();
            case Json.Numeral numeral -> Optional.empty();
            case Json.Literal literal -> Optional.empty();
        };
    }

    private static Optional<Json> element(List<Json> elements, String token) {
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
