package dev.refrain.store;

import org.jspecify.annotations.Nullable;

/**
 * Failure of one row: its data cannot be stored or read, or someone holds a lock on it. Nothing of it happened. In a batch it is
 * the answer to that element alone; thrown, it is about everything that was asked.
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
