package dev.refrain.api;
/** The scope already holds as many keys as it may. Nothing ran; keys in use still replay. */
public final class QuotaReachedException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final long quota;

    public QuotaReachedException(String operation, long quota) {
        super("Running " + operation + ": this scope already holds its quota of " + quota
                + " keys; wait until some expire, or raise quota.keys-per-scope.");
        this.quota = quota;
    }

    public long quota() {
        return quota;
    }
}
