package dev.refrain.store.jdbc;

import java.sql.SQLException;

/** Inside this package only: a later step of a batch failed after an earlier one was committed. */
final class PartlyDoneException extends SQLException {
    private static final long serialVersionUID = 1L;

    PartlyDoneException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    }
}
