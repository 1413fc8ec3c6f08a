package dev.refrain.store.jdbc.internal.sql;

import java.sql.SQLException;

/** Signals, inside this package only, that a whole table is locked, and not a row: everybody waits for it. */
public final class TableLockedException extends SQLException {
    private static final long serialVersionUID = 1L;

    public TableLockedException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    }
}
