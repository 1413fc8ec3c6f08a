package dev.refrain.internal.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which fields of a body count. Pointers reach anywhere into JSON; a form and multipart have one level, so there a
 * pointer of one token is a field's name and a longer one is nothing.
 */
public sealed interface FieldSelection {

    /** The document that counts, to be written in place of the one that came. */
    JsonValue apply(JsonValue document) throws NotCanonicalException;

    /** Whether a form's field counts. The name comes as its bytes, each one a character (ISO 8859-1). */
    boolean keeps(String field);

    /**
     * Whether a body in which no field counts is still taken for one of its kind. If not, its bytes count: a mistyped
     * {@code select} then refuses retries, where it would otherwise take all requests for the same one.
     */
    default boolean mayKeepNothing() {
        return true;
    }

    /** Everything counts. */
    record Everything() implements FieldSelection {
        @Override
        public JsonValue apply(JsonValue document) {
            return document;
        }

        @Override
        public boolean keeps(String field) {
            return true;
        }
    }

    /** What is pointed to does not count: with any value, or absent, the request is the same. */
    record Excluding(List<JsonPointer> pointers, ExcludedFieldTree pruning, Set<String> fields)
            implements FieldSelection {

        public static Excluding of(List<JsonPointer> pointers) {
            return new Excluding(pointers, ExcludedFieldTree.of(pointers), fieldNames(pointers));
        }

        @Override
        public JsonValue apply(JsonValue document) {
            return pruning.prune(document);
        }

        @Override
        public boolean keeps(String field) {
            return !fields.contains(field);
        }
    }

    /** Only what is pointed to counts: each value, or that it is absent. */
    record Only(List<JsonPointer> pointers, Set<String> fields) implements FieldSelection {

        public static Only of(List<JsonPointer> pointers) {
            return new Only(pointers, fieldNames(pointers));
        }

        /** An object of the found values, each under its pointer: nothing else about the document counts. */
        @Override
        public JsonValue apply(JsonValue document) throws NotCanonicalException {
            var found = new TreeMap<String, JsonValue>();
            for (JsonPointer pointer : pointers) {
                pointer.in(document).ifPresent(value -> found.put(pointer.text(), value));
            }
            if (found.isEmpty()) {
                throw new NotCanonicalException("none of the selected fields");
            }
            return new JsonValue.JsonObject(found);
        }

        @Override
        public boolean keeps(String field) {
            return fields.contains(field);
        }

        @Override
        public boolean mayKeepNothing() {
            return false;
        }
    }

    private static Set<String> fieldNames(List<JsonPointer> pointers) {
        return pointers.stream()
                .filter(pointer -> pointer.tokens().size() == 1)
                .map(pointer -> pointer.tokens().getFirst().getBytes(StandardCharsets.UTF_8))
                .map(name -> new String(name, StandardCharsets.ISO_8859_1))
                .collect(Collectors.toUnmodifiableSet());
    }
}
