package dev.refrain.http.edge;

import dev.refrain.internal.json.InvalidJsonException;
import dev.refrain.internal.json.JsonText;
import dev.refrain.internal.json.JsonValue;
import dev.refrain.internal.json.JsonValue.JsonArray;
import dev.refrain.internal.json.JsonValue.JsonObject;
import dev.refrain.internal.json.JsonValue.JsonString;
import dev.refrain.internal.json.StrictJsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Fields of a JSON body that are replaced before it is kept. In doubt more is replaced than named: services read names in any case, and
 * take one element for a list of one. Immutable and thread-safe.
 */
final class RedactedJsonFields {

    private static final JsonValue REPLACEMENT = new JsonString("[redacted]");
    private static final String EVERY = "*";

    private final List<List<String>> paths;

    RedactedJsonFields(List<String> pointers) {
        paths = pointers.stream().map(RedactedJsonFields::tokens).toList();
    }

    boolean isEmpty() {
        return paths.isEmpty();
    }

    /**
     * Returns the body with these fields replaced; empty if it is not valid JSON, or is a single value. The reader is strict: of two
     * members of one name, parsers disagree on which counts.
     */
    Optional<byte[]> replaceIn(byte[] body) {
        try {
            JsonValue json = StrictJsonReader.readInOrder(body);
            if (!isContainer(json)) {
                return Optional.empty();
            }
            for (var path : paths) {
                json = replacedBelow(json, path);
            }
            return Optional.of(JsonText.compact(json).getBytes(StandardCharsets.UTF_8));
        } catch (InvalidJsonException notJson) {
            return Optional.empty();
        }
    }

    private static boolean isContainer(JsonValue value) {
        return value instanceof JsonObject || value instanceof JsonArray;
    }

    /** Returns what takes the place of a value that a path leads to: a string or number is replaced although the path goes on below it. */
    private static JsonValue replaced(JsonValue value, List<String> rest) {
        return rest.isEmpty() || !isContainer(value) ? REPLACEMENT : replacedBelow(value, rest);
    }

    private static JsonValue replacedBelow(JsonValue value, List<String> path) {
        return switch (value) {
            case JsonObject object -> replacedMembers(object, path.getFirst(), path.subList(1, path.size()));
            case JsonArray array -> replacedElements(array, path);
            default -> throw new IllegalArgumentException("Nothing is below a value.");
        };
    }

    private static JsonValue replacedMembers(JsonObject object, String token, List<String> rest) {
        // One element where a list is expected.
        var asElement = token.equals(EVERY) && !rest.isEmpty() ? (JsonObject) replacedBelow(object, rest) : object;
        var members = new LinkedHashMap<String, JsonValue>();
        asElement
                .byName()
                .forEach((name, member) -> members.put(
                        name, token.equals(EVERY) || token.equalsIgnoreCase(name) ? replaced(member, rest) : member));
        return new JsonObject(members);
    }

    private static JsonValue replacedElements(JsonArray array, List<String> path) {
        String token = path.getFirst();
        boolean isIndex = token.chars().allMatch(c -> c >= '0' && c <= '9');
        var elements = new ArrayList<JsonValue>(array.inOrder().size());
        for (var element : array.inOrder()) {
            if (token.equals(EVERY) || token.equals(Integer.toString(elements.size()))) {
                elements.add(replaced(element, path.subList(1, path.size())));
            } else {
                // A list where one element is expected.
                elements.add(isIndex ? element : replaced(element, path));
            }
        }
        return new JsonArray(elements);
    }

    private static List<String> tokens(String pointer) {
        var tokens = new ArrayList<String>();
        for (String token : pointer.substring(1).split("/", -1)) {
            tokens.add(token.replace("~1", "/").replace("~0", "~"));
        }
        return tokens;
    }
}
