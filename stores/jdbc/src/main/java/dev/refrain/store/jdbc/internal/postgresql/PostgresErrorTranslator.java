package dev.refrain.store.jdbc.internal.postgresql;

import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.SQLException;
import java.util.Map;

/** PostgreSQL's SQLSTATEs. The first entry that the state begins with counts, the longest first. */
public final class PostgresErrorTranslator implements SqlErrorTranslator {

    private static final Map<String, SqlErrorKind> MEANINGS = Map.ofEntries(
            // The driver itself: no connection could be made, or the one it had is closed, so nothing was sent.
            Map.entry("08001", SqlErrorKind.OUT_OF_REACH),
            Map.entry("08003", SqlErrorKind.OUT_OF_REACH),
            Map.entry("08004", SqlErrorKind.OUT_OF_REACH),
            Map.entry("08", SqlErrorKind.LOST),
            Map.entry("22", SqlErrorKind.BAD_DATA),
            Map.entry("23", SqlErrorKind.BAD_DATA),
            Map.entry("54", SqlErrorKind.BAD_DATA),
            Map.entry("40", SqlErrorKind.TRY_AGAIN),
            Map.entry("40003", SqlErrorKind.LOST),
            Map.entry("53", SqlErrorKind.TRY_AGAIN),
            Map.entry("53100", SqlErrorKind.REFUSED),
            Map.entry("55P03", SqlErrorKind.LOCKED),
            Map.entry("57014", SqlErrorKind.TRY_AGAIN),
            // The server ends: it says so also to those whose commit it has just done.
            Map.entry("57P01", SqlErrorKind.LOST),
            Map.entry("57P02", SqlErrorKind.LOST),
            Map.entry("57P03", SqlErrorKind.OUT_OF_REACH),
            Map.entry("57P05", SqlErrorKind.LOST),
            // PgBouncer's own, when it has no server for us; and the server's when it is in recovery.
            Map.entry("58000", SqlErrorKind.TRY_AGAIN));

    private static final Map<String, String> ADVICE = Map.of(
            "25006", "The database is read-only: point Refrain at the primary, or lift default_transaction_read_only.",
            "25P02", "A statement of the work failed and the work went on: let its exception out, or use a savepoint.",
            "53100", "The database's disk is full: make room.",
            "42P01", "A table is missing: let Refrain migrate, or apply the output of `refrain schema`.",
            "42703", "A column is missing: let Refrain migrate, or apply the output of `refrain schema`.",
            "42501", "The database user lacks a permission on Refrain's tables: grant it.",
            "3F000", "The schema does not exist: create it, or name another.",
            "28", "The database refuses this user or password: correct them.",
            "3D000", "The database does not exist: create it, or name another.");

    @Override
    public SqlErrorKind classify(SQLException error) {
        // An error with a state is the server's answer, so nothing happened; of one without nothing is known.
        return longest(MEANINGS, error, error.getSQLState() == null ? SqlErrorKind.REFUSED_LATE : SqlErrorKind.REFUSED);
    }

    @Override
    public boolean isDuplicate(SQLException error) {
        return "23505".equals(error.getSQLState());
    }

    @Override
    public String advice(SQLException error) {
        return longest(ADVICE, error, "See the cause for the database's own words.");
    }

    private static <T> T longest(Map<String, T> table, SQLException error, T otherwise) {
        String state = error.getSQLState() == null ? "" : error.getSQLState();
        for (int length = state.length(); length >= 2; length--) {
            T found = table.get(state.substring(0, length));
            if (found != null) {
                return found;
            }
        }
        return otherwise;
    }
}
