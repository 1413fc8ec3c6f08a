package dev.refrain.verify;

import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * Where to see how often a request took effect.
 *
 * @param counter the resource that counts the effects; if empty, responses are compared
 * @param id the JSON pointer to the id of the created resource in a response; if empty, whole bodies are compared
 */
public record EffectCountSource(Optional<CountResource> counter, Optional<JsonPointer> id) {

    public static final EffectCountSource BY_ANSWERS = new EffectCountSource(Optional.empty(), Optional.empty());

    /**
     * Resource that reports the number of effects.
     *
     * @param at the JSON pointer to a number, or to a list whose elements are counted
     */
    public record CountResource(VerifiedRoute route, JsonPointer at) {

        /**
         * Parses a route and a JSON pointer, for example {@code GET /payments#/total}.
         *
         * @throws InvalidVerifySettingsException if it is not a GET route and a JSON pointer
         */
        public static CountResource parse(String text) {
            int hash = text.indexOf('#');
            var route = VerifiedRoute.parse(hash < 0 ? text : text.substring(0, hash));
            if (!route.method().equals("GET")) {
                throw new InvalidVerifySettingsException(
                        "Effects are counted with GET, not with " + route.method() + ".");
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
                    "'" + text + "' is not a JSON pointer: it must start with /, for example /id.");
        }
    }
}
