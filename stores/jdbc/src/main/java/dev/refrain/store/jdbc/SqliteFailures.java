package dev.refrain.store.jdbc;

import java.sql.SQLException;
import java.util.Map;

/** SQLite's primary result codes; the driver has no SQLSTATEs. */
final class SqliteFailures implements Failures {

    private static final int EXTENDED = 0xFF;

    private static final Map<Integer, Meaning> MEANINGS = Map.ofEntries(
            Map.entry(5, Meaning.TRY_AGAIN), // BUSY, BUSY_SNAPSHOT: another connection writes
            Map.entry(6, Meaning.TRY_AGAIN), // LOCKED
            Map.entry(7, Meaning.TRY_AGAIN), // NOMEM
            Map.entry(9, Meaning.TRY_AGAIN), // INTERRUPT
            Map.entry(15, Meaning.TRY_AGAIN), // PROTOCOL: the WAL's locks are contended
            Map.entry(18, Meaning.BAD_DATA), // TOOBIG
            Map.entry(19, Meaning.BAD_DATA), // CONSTRAINT
            Map.entry(20, Meaning.BAD_DATA), // MISMATCH
            // An fsync that failed says nothing about what a later recovery will find.
            Map.entry(10, Meaning.REFUSED_LATE), // IOERR
            Map.entry(11, Meaning.REFUSED_LATE)); // CORRUPT

    private static final Map<Integer, String> ADVICE = Map.of(
            1, "If a table is missing, let Refrain migrate, or apply the output of `refrain schema`.",
            8, "The database file is read-only: give this process write permission on the file and its directory.",
            10, "The disk reports errors: look at it before anything else.",
            11, "The database file is damaged: restore it.",
            13, "The disk or the database's page limit is full: make room.",
            14, "The database file cannot be opened: check its path, and permissions on the file and its directory.",
            26, "The file is not a SQLite database: name another.");

    @Override
    public Meaning classify(SQLException error) {
        return MEANINGS.getOrDefault(error.getErrorCode() & EXTENDED, Meaning.REFUSED);
    }

    /** Never asked: SQLite does not commit in a pipeline. */
    @Override
    public boolean isDuplicate(SQLException error) {
        return false;
    }

    @Override
    public String advice(SQLException error) {
        return ADVICE.getOrDefault(error.getErrorCode() & EXTENDED, "See the cause for the database's own words.");
    }
}
