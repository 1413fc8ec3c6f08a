package dev.refrain.api;
/**
 * A record's fingerprint was made in a way that this instance cannot repeat, so it cannot be said whether the request
 * is the same. It must neither run nor be answered with the stored outcome.
 *
 * <p>Happens while versions or secrets are being rolled out in the wrong order; the message says what to configure.
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

    /** The recorded recipe. */
    public String recipe() {
        return recipe;
    }

    /** What this instance can follow: encoding versions and the ids of its secrets. */
    public String known() {
        return known;
    }
}
