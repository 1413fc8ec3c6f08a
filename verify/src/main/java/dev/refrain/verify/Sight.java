package dev.refrain.verify;

import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * How it can be seen how often something took effect.
 *
 * @param counter where the API tells a count; otherwise answers are compared
 * @param id where in an answer the id of what was made stands; otherwise all its bytes are compared
 */
public record Sight(Optional<Counter> counter, Optional<JsonPointer> id) {

    public static final Sight BY_ANSWERS = new Sight(Optional.empty(), Optional.empty());

    /**
     * A resource that says how many effects there are.
     *
     * @param at where in its JSON: a number, or a list whose elements count
     */
    public record Counter(Route route, JsonPointer at) {

        /** @param text such as {@code GET /payments#/total}: a route, and behind # a JSON pointer */
        public static Counter parse(String text) {
            int hash = text.indexOf('#');
            var route = Route.parse(hash < 0 ? text : text.substring(0, hash));
            if (!route.method().equals("GET")) {
                throw new InvalidSubjectException("Effects are counted by a GET, not by " + route.method() + ".");
            }
            return new Counter(route, pointer(hash < 0 ? "" : text.substring(hash + 1)));
        }
    }

    public Sight withCounter(Counter resource) {
        return new Sight(Optional.of(resource), id);
    }

    public Sight withIdAt(String pointer) {
        return new Sight(counter, Optional.of(pointer(pointer)));
    }

    private static JsonPointer pointer(String text) {
        try {
            return JsonPointer.compile(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidSubjectException("'" + text + "' is no JSON pointer: they begin with /, such as /id.");
        }
    }
}
