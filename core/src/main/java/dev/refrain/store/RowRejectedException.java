package dev.refrain.store;

import org.jspecify.annotations.Nullable;

/**
 * A row of the batch stands in the way of the others: its data cannot be stored, or someone holds a lock on it. Nothing of
 * the batch happened. The batch is split until the guilty row fails alone.
 */
public final class RowRejectedException extends StoreException {
    private static final long serialVersionUID = 1L;

    private RowRejectedException(String message, boolean passing, @Nullable Throwable cause) {
        super(message, Effect.NONE, passing, cause);
    }

    /** The row's data can never be stored. */
    public static RowRejectedException badData(String message, @Nullable Throwable cause) {
        return new RowRejectedException(message, false, cause);
    }

    /** The row is locked by someone else for longer than a batch may wait. */
    public static RowRejectedException locked(String message, @Nullable Throwable cause) {
        return new RowRejectedException(message, true, cause);
    }
}
