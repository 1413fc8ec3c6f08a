package dev.refrain.fingerprint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Excluded pointers as a tree. Applied in one pass, so that an element's index is the one it was sent with, also when
 * an element before it is excluded.
 *
 * @param whole whether the value at this place is excluded
 * @param inside what is excluded below it, by member name or element index
 */
record Pruning(boolean whole, Map<String, Pruning> inside) {

    static Pruning of(List<JsonPointer> pointers) {
        return ofTokens(pointers.stream().map(JsonPointer::tokens).toList());
    }

    private static Pruning ofTokens(List<List<String>> paths) {
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
        var inside = new HashMap<String, Pruning>();
        below.forEach((first, rest) -> inside.put(first, ofTokens(rest)));
        return new Pruning(whole, Map.copyOf(inside));
    }

    Json prune(Json value) {
        return switch (value) {
            case Json.Members members -> members(members);
            case Json.Elements elements -> elements(elements);
            case Json.Text text -> text;
            case Json.Numeral numeral -> numeral;
            case Json.Literal literal -> literal;
        };
    }

    private Json members(Json.Members members) {
        var kept = new TreeMap<>(members.byName());
        inside.forEach((name, pruning) -> kept.computeIfPresent(name, (n, value) -> pruning.keptOf(value)));
        return new Json.Members(kept);
    }

    private Json elements(Json.Elements elements) {
        var kept = new ArrayList<Json>();
        for (int i = 0; i < elements.inOrder().size(); i++) {
            Json element = elements.inOrder().get(i);
            Pruning pruning = inside.get(Integer.toString(i));
            Json rest = pruning == null ? element : pruning.keptOf(element);
            if (rest != null) {
                kept.add(rest);
            }
        }
        return new Json.Elements(kept);
    }

    private @Nullable Json keptOf(Json value) {
        return whole ? null : prune(value);
    }
}
