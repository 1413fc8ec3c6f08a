package dev.refrain.store;

/**
 * Signals that a flow ran and could not go on, because a phase could not begin or was rolled back. Earlier phases and calls stay: a
 * retry with the same key, or the completer, continues from the last recovery point. The cause is the failure of the store.
 */
public final class PhaseRolledBackException extends StoreException {
    private static final long serialVersionUID = 1L;

    public PhaseRolledBackException(String operation, StoreException cause) {
        super(
                operation
                        + ": a phase could not begin or was rolled back. A retry with the same key continues from the last recovery"
                        + " point, and what was committed before it stays. See the cause.",
                cause.effect(),
                cause.isTransient(),
                cause);
    }
}
