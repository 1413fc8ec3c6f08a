package dev.refrain.store;

/**
 * Signals that a phase of a flow ran and was rolled back, because its transaction could not be committed. Earlier phases and calls
 * stay: a retry with the same key, or the completer, continues from the last recovery point. The cause is the failure of the commit.
 */
public final class PhaseRolledBackException extends StoreException {
    private static final long serialVersionUID = 1L;

    public PhaseRolledBackException(String operation, StoreException cause) {
        super(
                operation
                        + ": a phase ran and was rolled back, because its commit failed. A retry with the same key continues from"
                        + " the last recovery point. See the cause.",
                cause.effect(),
                cause.isTransient(),
                cause);
    }
}
