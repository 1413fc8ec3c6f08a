package dev.refrain.verify;

import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * How it can be seen how often something took effect.
 *
 * @param counter where the API tells a count; otherwise answers are compared
 * @param id where in an answer the id of what was made stands; otherwise all its bytes are compared
 */
public record EffectCountSource(Optional<CountResource> counter, Optional<JsonPointer> id) {

    public static final EffectCountSource BY_ANSWERS = new EffectCountSource(Optional.empty(), Optional.empty());

    /**
     * A resource that says how many effects there are.
     *
     * @param at where in its JSON: a number, or a list whose elements count
     */
    public record CountResource(ApiRoute route, JsonPointer at) {

        /** @param text such as {@code GET /payments#/total}: a route, and behind # a JSON pointer */
        public static CountResource parse(String text) {
            int hash = text.indexOf('#');
            var route = ApiRoute.parse(hash < 0 ? text : text.substring(0, hash));
            if (!route.method().equals("GET")) {
                throw new InvalidVerifySettingsException(
                        "Effects are counted by a GET, not by " + route.method() + ".");
            }
            return new CountResource(route, pointer(hash < 0 ? "" : text.substring(hash + 1)));
        }
    }

    public EffectCountSource withCounter(CountResource resource) {
        return new EffectCountSource(Optional.of(resource), id);
    }

    public EffectCountSource withIdAt(String pointer) {
        return new EffectCountSource(counter, Optional.of(pointer(pointer)));
    }

    private static JsonPointer pointer(String text) {
        try {
            return JsonPointer.compile(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidVerifySettingsException(
                    "'" + text + "' is no JSON pointer: they begin with /, such as /id.");
        }
    }
}
