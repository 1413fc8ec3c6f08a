package dev.refrain.api;
/** Signals that the scope already holds its maximum number of keys. Nothing ran; keys in use still replay. */
public final class QuotaReachedException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final long quota;

    public QuotaReachedException(String operation, long quota) {
        super("Cannot run " + operation + ": this scope already holds its quota of " + quota
                + " keys. Wait until some expire, or raise max-keys-per-scope.");
        this.quota = quota;
    }

    public long quota() {
        return quota;
    }
}
