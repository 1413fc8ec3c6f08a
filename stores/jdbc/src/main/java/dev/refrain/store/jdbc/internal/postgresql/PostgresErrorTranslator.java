package dev.refrain.store.jdbc.internal.postgresql;

import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.SQLException;
import java.util.Map;

/** Translates PostgreSQL's SQLSTATEs. The longest entry that is a prefix of the state applies. */
public final class PostgresErrorTranslator implements SqlErrorTranslator {

    private static final Map<String, SqlErrorKind> MEANINGS = Map.ofEntries(
            // From the driver itself: it could not connect, or its connection is closed, so nothing was sent.
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
            // The server is shutting down; sessions whose commit was just done get this error too.
            Map.entry("57P01", SqlErrorKind.LOST),
            Map.entry("57P02", SqlErrorKind.LOST),
            Map.entry("57P03", SqlErrorKind.OUT_OF_REACH),
            Map.entry("57P05", SqlErrorKind.LOST),
            // From PgBouncer, when it has no server connection; and from a server in recovery.
            Map.entry("58000", SqlErrorKind.TRY_AGAIN));

    /** Advice about statements that were prepared on one server connection and executed on another. */
    private static final String POOLED =
            "A pooler in transaction mode moves prepared statements between connections: set prepareThreshold=0 in the JDBC URL,"
                    + " or use PgBouncer 1.21 or later with max_prepared_statements.";

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry(
                    "25006",
                    "The database is read-only: connect to the primary, or disable default_transaction_read_only."),
            Map.entry(
                    "25P02",
                    "A statement of the work failed and the work went on: let its exception out, or use a savepoint."),
            Map.entry("53100", "The database's disk is full: make room."),
            Map.entry("42P01", "A table is missing: let Refrain migrate, or apply the output of `refrain schema`."),
            Map.entry("42703", "A column is missing: let Refrain migrate, or apply the output of `refrain schema`."),
            Map.entry("42501", "The database user lacks a permission on Refrain's tables: grant it."),
            Map.entry("3F000", "The schema does not exist: create it, or name another."),
            Map.entry("28", "The database rejects this user or password: correct them."),
            Map.entry("3D000", "The database does not exist: create it, or name another."),
            Map.entry("42P05", POOLED),
            Map.entry("26000", POOLED));

    @Override
    public SqlErrorKind classify(SQLException error) {
        // An error with a SQLSTATE is the server's answer, so nothing happened; without one nothing is known.
        return longest(MEANINGS, error, error.getSQLState() == null ? SqlErrorKind.REFUSED_LATE : SqlErrorKind.REFUSED);
    }

    @Override
    public boolean isDuplicate(SQLException error) {
        return "23505".equals(error.getSQLState());
    }

    @Override
    public boolean isRejectedWork(SQLException error) {
        String state = error.getSQLState();
        return state != null && (state.startsWith("23") || state.startsWith("P0"));
    }

    /** Returns true also where no schema of the search path can be used, which is how a missing USAGE shows. */
    @Override
    public boolean isMissingPrivilege(SQLException error) {
        return "42501".equals(error.getSQLState()) || "3F000".equals(error.getSQLState());
    }

    @Override
    public String advice(SQLException error) {
        return longest(ADVICE, error, "See the cause for the database's message.");
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
