package dev.refrain.internal.fingerprint;

import dev.refrain.internal.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Excluded pointers as a tree. Applied in one pass, so that array indexes are those of the original document, even if an earlier
 * element is excluded.
 *
 * @param whole whether the value at this place is excluded
 * @param inside exclusions below it, by member name or element index
 */
record ExcludedFieldTree(boolean whole, Map<String, ExcludedFieldTree> inside) {

    static ExcludedFieldTree of(List<JsonPointer> pointers) {
        return ofTokens(pointers.stream().map(JsonPointer::tokens).toList());
    }

    private static ExcludedFieldTree ofTokens(List<List<String>> paths) {
        var below = new HashMap<String, List<List<String>>>();
        boolean whole = false;
        for (List<String> path : paths) {
            if (path.isEmpty()) {
                whole = true;
            } else {
                below.computeIfAbsent(path.getFirst(), first -> new ArrayList<>())
                        .add(path.subList(1, path.size()));
            }
        }
        var inside = new HashMap<String, ExcludedFieldTree>();
        below.forEach((first, rest) -> inside.put(first, ofTokens(rest)));
        return new ExcludedFieldTree(whole, Map.copyOf(inside));
    }

    JsonValue prune(JsonValue value) {
        return switch (value) {
            case JsonValue.JsonObject members -> members(members);
            case JsonValue.JsonArray elements -> elements(elements);
            case JsonValue.JsonString text -> text;
            case JsonValue.JsonNumber numeral -> numeral;
            case JsonValue.Literal literal -> literal;
        };
    }

    private JsonValue members(JsonValue.JsonObject members) {
        var kept = new TreeMap<>(members.byName());
        inside.forEach((name, pruning) -> kept.computeIfPresent(name, (n, value) -> pruning.keptOf(value)));
        return new JsonValue.JsonObject(kept);
    }

    private JsonValue elements(JsonValue.JsonArray elements) {
        var kept = new ArrayList<JsonValue>();
        for (int i = 0; i < elements.inOrder().size(); i++) {
            JsonValue element = elements.inOrder().get(i);
            ExcludedFieldTree pruning = inside.get(Integer.toString(i));
            JsonValue rest = pruning == null ? element : pruning.keptOf(element);
            if (rest != null) {
                kept.add(rest);
            }
        }
        return new JsonValue.JsonArray(kept);
    }

    private @Nullable JsonValue keptOf(JsonValue value) {
        return whole ? null : prune(value);
    }
}
