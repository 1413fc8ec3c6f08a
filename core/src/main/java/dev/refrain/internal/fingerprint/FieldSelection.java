package dev.refrain.internal.fingerprint;

import dev.refrain.internal.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Selection of the body fields that are compared. Pointers reach anywhere into JSON; a form and multipart have one level, so
 * there a pointer of one token is a field name, and a longer one matches nothing.
 */
public sealed interface FieldSelection {

    /** Returns the part of the document that is compared. */
    JsonValue apply(JsonValue document) throws NotCanonicalException;

    /** Returns true if a form field is compared. The name is given as its bytes, one character each (ISO 8859-1). */
    boolean keeps(String field);

    /**
     * Returns true if a body without any selected field still counts as its kind. If not, it is compared by its bytes: a mistyped
     * selection then rejects retries instead of taking all requests for the same one.
     */
    default boolean mayKeepNothing() {
        return true;
    }

    /** Compares everything. */
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

    /** Ignores the fields that the pointers name, with any value or absent. */
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

    /** Compares only the fields that the pointers name, by value or by absence. */
    record Only(List<JsonPointer> pointers, Set<String> fields) implements FieldSelection {

        public static Only of(List<JsonPointer> pointers) {
            return new Only(pointers, fieldNames(pointers));
        }

        /** Returns an object of the found values, each under its pointer. */
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
