package dev.refrain.spec;

/** How much happens in the model: how many requests, lives of the key, attempts. */
enum World {
    USUAL("", "Safe"),
    /** Fewer, because liveness is checked of whole behaviours, and without symmetry. */
    FAIR("-fair", "Spec"),
    /** More, for the long profile. */
    LARGE("-large", "Safe");

    final String suffix;
    final String specification;

    World(String suffix, String specification) {
        this.suffix = suffix;
        this.specification = specification;
    }

    /** The one in which a promise is asked for in every build. */
    static World of(Promise promise) {
        return promise.isLiveness() ? FAIR : USUAL;
    }
}
