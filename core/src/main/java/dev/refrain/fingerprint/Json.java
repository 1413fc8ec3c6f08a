package dev.refrain.fingerprint;

import java.util.List;
import java.util.SortedMap;

/** A JSON value, as little interpreted as can be: numbers stay text until it is known that they count. */
sealed interface Json {

    /** Members by name, in the order of UTF-16 code units that RFC 8785 asks for (which is that of strings in Java). */
    record Members(SortedMap<String, Json> byName) implements Json {}

    record Elements(List<Json> inOrder) implements Json {}

    record Text(String value) implements Json {}

    record Numeral(String literal) implements Json {}

    /** {@code true}, {@code false} or {@code null}. */
    record Literal(String name) implements Json {}
}
