package dev.refrain.store;

import org.jspecify.annotations.Nullable;

/**
 * Signals that transactional work ran to its end and was rolled back, because its transaction could not be committed or was lost.
 * Nothing took effect and the key is free: a retry runs again. The cause, if any, is the failure of the store.
 */
public final class WorkRolledBackException extends StoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param why why it could not be committed, in a whole sentence
     */
    public WorkRolledBackException(String operation, String why, @Nullable Throwable cause) {
        super(
                operation + " ran and was rolled back: nothing took effect. " + why + " Retry with the same key.",
                Effect.NONE,
                !(cause instanceof StoreException store) || store.isTransient(),
                cause);
    }

    /** Returns true if the transaction was rolled back because its connection was lost. */
    @Override
    public boolean isConnectionLost() {
        for (var found = getCause(); found != null; found = found.getCause()) {
            if (found instanceof StoreException store && store.isConnectionLost()) {
                return true;
            }
        }
        return false;
    }
}
