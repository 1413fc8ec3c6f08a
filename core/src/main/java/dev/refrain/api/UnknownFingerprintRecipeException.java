package dev.refrain.api;
/**
 * Signals that this instance cannot recompute a record's fingerprint, so that it cannot compare the request. The request neither
 * runs nor gets the stored outcome.
 *
 * <p>Happens while versions or secrets are rolled out in the wrong order; the message says what to configure.
 */
public final class UnknownFingerprintRecipeException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final String recipe;
    private final String known;

    public UnknownFingerprintRecipeException(String recipe, String found, String known, String remedy) {
        super("Comparing a request with a record whose fingerprint was made by recipe '" + recipe + "': " + found
                + ". Known here: " + known + ". " + remedy);
        this.recipe = recipe;
        this.known = known;
    }

    /** Returns the recorded recipe. */
    public String recipe() {
        return recipe;
    }

    /** Returns the recipes that this instance supports: encoding versions and the ids of its secrets. */
    public String known() {
        return known;
    }
}
