package dev.refrain.internal.json;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON value, interpreted as little as possible: numbers stay text until they are compared. */
public sealed interface JsonValue {

    JsonValue NULL = new Literal("null");

    /** Members by name, in the order that the reader was asked for. */
    record JsonObject(Map<String, JsonValue> byName) implements JsonValue {}

    record JsonArray(List<JsonValue> inOrder) implements JsonValue {}

    record JsonString(String value) implements JsonValue {}

    record JsonNumber(String literal) implements JsonValue {}

    /** {@code true}, {@code false} or {@code null}. */
    record Literal(String name) implements JsonValue {}

    /** Converts maps with string keys, collections, strings, whole numbers and booleans; the order of a map stays. */
    static JsonValue of(Object value) {
        return switch (value) {
            case Map<?, ?> members -> {
                var byName = new LinkedHashMap<String, JsonValue>();
                members.forEach((name, member) -> byName.put((String) name, of(member)));
                yield new JsonObject(byName);
            }
            case Collection<?> elements ->
                new JsonArray(elements.stream().map(JsonValue::of).toList());
            case String text -> new JsonString(text);
            case Integer number -> new JsonNumber(number.toString());
            case Long number -> new JsonNumber(number.toString());
            case Boolean truth -> new Literal(truth.toString());
            default ->
                throw new IllegalArgumentException(
                        "Cannot write a value of " + value.getClass().getName()
                                + " as JSON. Pass a Map, a Collection, a String, an int, a long or a boolean.");
        };
    }
}
