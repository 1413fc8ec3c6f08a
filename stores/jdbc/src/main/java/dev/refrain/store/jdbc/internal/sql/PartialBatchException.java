package dev.refrain.store.jdbc.internal.sql;

import java.sql.SQLException;

/** Signals, inside this package only, that a later step of a batch failed after an earlier one was committed. */
public final class PartialBatchException extends SQLException {
    private static final long serialVersionUID = 1L;

    public PartialBatchException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    }
}
