package dev.refrain.store;

import org.jspecify.annotations.Nullable;

/**
 * Signals the failure of one row: its data cannot be stored or read, or its row is locked. Nothing of it happened. As the answer
 * to an element of a batch it concerns that element alone; when thrown, the whole call.
 */
public final class RowRejectedException extends StoreException {
    private static final long serialVersionUID = 1L;

    private RowRejectedException(String message, boolean passing, @Nullable Throwable cause) {
        super(message, Effect.NONE, passing, cause);
    }

    /** Creates the failure of a row whose data can never be stored. */
    public static RowRejectedException badData(String message, @Nullable Throwable cause) {
        return new RowRejectedException(message, false, cause);
    }

    /** Creates the failure of a row that is locked for longer than a batch may wait. */
    public static RowRejectedException locked(String message, @Nullable Throwable cause) {
        return new RowRejectedException(message, true, cause);
    }
}
