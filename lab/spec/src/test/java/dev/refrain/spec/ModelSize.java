package dev.refrain.spec;
/** How much happens in the model: how many requests, lives of the key, attempts. */
enum ModelSize {
    USUAL("", "Safe"),
    /** Fewer, because liveness is checked of whole behaviours, and without symmetry. */
    FAIR("-fair", "Spec"),
    /** More, for the long profile. */
    LARGE("-large", "Safe");

    final String suffix;
    final String specification;

    ModelSize(String suffix, String specification) {
        this.suffix = suffix;
        this.specification = specification;
    }

    /** The one in which a promise is asked for in every build. */
    static ModelSize of(ModelProperty promise) {
        return promise.isLiveness() ? FAIR : USUAL;
    }
}
