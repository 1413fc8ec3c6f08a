package dev.refrain.spec;
/** Size of the model: number of requests, lives of the key, attempts. */
enum ModelSize {
    USUAL("", "Safe"),
    /** Small model for liveness, which is checked over whole behaviours and without symmetry. */
    FAIR("-fair", "Spec"),
    /** Large model for the long profile. */
    LARGE("-large", "Safe");

    final String suffix;
    final String specification;

    ModelSize(String suffix, String specification) {
        this.suffix = suffix;
        this.specification = specification;
    }

    /** Returns the size in which a property is checked in every build. */
    static ModelSize of(ModelProperty promise) {
        return promise.isLiveness() ? FAIR : USUAL;
    }
}
