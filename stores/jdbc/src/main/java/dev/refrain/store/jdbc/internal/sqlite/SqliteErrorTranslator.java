package dev.refrain.store.jdbc.internal.sqlite;

import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.SQLException;
import java.util.Map;

/** Translates SQLite's primary result codes; the driver has no SQLSTATEs. */
public final class SqliteErrorTranslator implements SqlErrorTranslator {

    private static final int EXTENDED = 0xFF;
    private static final int CONSTRAINT = 19;

    private static final Map<Integer, SqlErrorKind> MEANINGS = Map.ofEntries(
            Map.entry(5, SqlErrorKind.TRY_AGAIN), // BUSY, BUSY_SNAPSHOT: another connection writes
            Map.entry(6, SqlErrorKind.TRY_AGAIN), // LOCKED
            Map.entry(7, SqlErrorKind.TRY_AGAIN), // NOMEM
            Map.entry(9, SqlErrorKind.TRY_AGAIN), // INTERRUPT
            Map.entry(15, SqlErrorKind.TRY_AGAIN), // PROTOCOL: the WAL's locks are contended
            Map.entry(18, SqlErrorKind.BAD_DATA), // TOOBIG
            Map.entry(19, SqlErrorKind.BAD_DATA), // CONSTRAINT
            Map.entry(20, SqlErrorKind.BAD_DATA), // MISMATCH
            // After a failed fsync nothing is known about what a later recovery will find.
            Map.entry(10, SqlErrorKind.REFUSED_LATE), // IOERR
            Map.entry(11, SqlErrorKind.REFUSED_LATE)); // CORRUPT

    private static final Map<Integer, String> ADVICE = Map.of(
            1, "If a table is missing, let Refrain migrate, or apply the output of `refrain schema`.",
            8, "The database file is read-only: give this process write permission on the file and its directory.",
            10, "The disk reports I/O errors: check it first.",
            11, "The database file is damaged: restore it from a backup.",
            13, "The disk or the database's page limit is full: make room.",
            14, "The database file cannot be opened: check its path, and permissions on the file and its directory.",
            26, "The file is not a SQLite database: use another one.");

    @Override
    public SqlErrorKind classify(SQLException error) {
        return MEANINGS.getOrDefault(error.getErrorCode() & EXTENDED, SqlErrorKind.REFUSED);
    }

    /** Never called: SQLite does not commit in a pipeline. */
    @Override
    public boolean isDuplicate(SQLException error) {
        return false;
    }

    @Override
    public boolean isRejectedWork(SQLException error) {
        return (error.getErrorCode() & EXTENDED) == CONSTRAINT;
    }

    @Override
    public String advice(SQLException error) {
        return ADVICE.getOrDefault(error.getErrorCode() & EXTENDED, "See the cause for the database's message.");
    }
}
