package dev.refrain.store;

import dev.refrain.api.RefrainException;

/**
 * Signals that a feature needs an ability which the store does not have. The message names the feature, the ability and the
 * store.
 */
public final class MissingAbilityException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final String feature;
    private final String ability;
    private final String store;

    MissingAbilityException(String feature, String ability, String store) {
        super(feature + " needs a store with the ability \"" + ability + "\", which " + store
                + " does not have. Use a store that has it (docs/stores.md), or leave this out.");
        this.feature = feature;
        this.ability = ability;
        this.store = store;
    }

    /** Returns the feature that was requested. */
    public String feature() {
        return feature;
    }

    /** Returns the ability that it needs. */
    public String ability() {
        return ability;
    }

    /** Returns the name of the store. */
    public String store() {
        return store;
    }
}
