package dev.refrain.internal.fingerprint;

import java.util.List;
import java.util.SortedMap;

/** A JSON value, as little interpreted as can be: numbers stay text until it is known that they count. */
sealed interface JsonValue {

    /** Members by name, in the order of UTF-16 code units that RFC 8785 asks for (which is that of strings in Java). */
    record JsonObject(SortedMap<String, JsonValue> byName) implements JsonValue {}

    record JsonArray(List<JsonValue> inOrder) implements JsonValue {}

    record JsonString(String value) implements JsonValue {}

    record JsonNumber(String literal) implements JsonValue {}

    /** {@code true}, {@code false} or {@code null}. */
    record Literal(String name) implements JsonValue {}
}
