package dev.refrain.store.jdbc.internal.mysql;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import java.sql.SQLException;
import java.util.Map;

/** Translates error numbers of MySQL and MariaDB, and SQLSTATEs where there is no number or the class says enough. */
public final class MysqlErrorTranslator implements SqlErrorTranslator {

    private static final Map<Integer, SqlErrorKind> NUMBERS = Map.ofEntries(
            // A lock wait that timed out undoes its statement only; NOWAIT is told in one way by each server.
            Map.entry(1205, SqlErrorKind.LOCKED),
            Map.entry(3572, SqlErrorKind.LOCKED),
            // A deadlock undoes the transaction. 3101, 1180: Group Replication and Galera at a commit. 1020: MariaDB's
            // snapshots.
            Map.entry(1213, SqlErrorKind.TRY_AGAIN),
            Map.entry(3101, SqlErrorKind.TRY_AGAIN),
            Map.entry(1020, SqlErrorKind.TRY_AGAIN),
            Map.entry(1412, SqlErrorKind.TRY_AGAIN),
            // Interrupted, or too slow.
            Map.entry(1317, SqlErrorKind.TRY_AGAIN),
            Map.entry(1969, SqlErrorKind.TRY_AGAIN),
            Map.entry(3024, SqlErrorKind.TRY_AGAIN),
            Map.entry(1907, SqlErrorKind.TRY_AGAIN),
            // An index that another process has just made.
            Map.entry(1061, SqlErrorKind.TRY_AGAIN),
            // Too many connections; a node that is not part of its cluster.
            Map.entry(1040, SqlErrorKind.OUT_OF_REACH),
            Map.entry(1203, SqlErrorKind.OUT_OF_REACH),
            Map.entry(1047, SqlErrorKind.OUT_OF_REACH),
            // Too large for a packet: MariaDB's driver does not send it, and the server reads no further.
            Map.entry(1153, SqlErrorKind.BAD_DATA),
            // A value that fits no column: some have the class HY.
            Map.entry(1366, SqlErrorKind.BAD_DATA),
            Map.entry(3140, SqlErrorKind.BAD_DATA),
            Map.entry(3819, SqlErrorKind.BAD_DATA),
            Map.entry(4025, SqlErrorKind.BAD_DATA),
            Map.entry(1021, SqlErrorKind.REFUSED),
            Map.entry(1114, SqlErrorKind.REFUSED),
            // The server is going down, or has broken the session off.
            Map.entry(1053, SqlErrorKind.LOST),
            Map.entry(1927, SqlErrorKind.LOST),
            Map.entry(1180, SqlErrorKind.LOST));

    private static final Map<String, SqlErrorKind> CLASSES = Map.of(
            "08001", SqlErrorKind.OUT_OF_REACH,
            "08004", SqlErrorKind.OUT_OF_REACH,
            "08", SqlErrorKind.LOST,
            // MariaDB's driver has several hosts, lost one, and is connected to the next by itself.
            "25S03", SqlErrorKind.LOST,
            "22", SqlErrorKind.BAD_DATA,
            "23", SqlErrorKind.BAD_DATA,
            "40", SqlErrorKind.TRY_AGAIN,
            "70", SqlErrorKind.TRY_AGAIN);

    private static final String READ_ONLY = "The database is read-only: connect to the primary.";
    private static final String GRANT = "The database user lacks a privilege on Refrain's tables: grant it.";
    private static final String LOGIN = "The database rejects this user or password: correct them.";
    private static final String DISK_FULL = "The database's disk is full: make room.";
    private static final String BINLOG =
            "READ COMMITTED needs a binary log by rows: set binlog_format to ROW or MIXED on the server.";

    private static final Map<Integer, String> ADVICE = Map.ofEntries(
            Map.entry(1290, READ_ONLY),
            Map.entry(1792, READ_ONLY),
            Map.entry(1836, READ_ONLY),
            Map.entry(1044, GRANT),
            Map.entry(1142, GRANT),
            Map.entry(1143, GRANT),
            Map.entry(1227, GRANT),
            Map.entry(1370, GRANT),
            Map.entry(1045, LOGIN),
            Map.entry(1698, LOGIN),
            Map.entry(1049, "The database does not exist: create it, or name another."),
            Map.entry(1046, "The URL names no database: add one to it."),
            Map.entry(1146, "A table is missing: let Refrain migrate, or apply the output of `refrain schema`."),
            Map.entry(1054, "A column is missing: let Refrain migrate, or apply the output of `refrain schema`."),
            Map.entry(1305, "A statement of the work failed and the work went on: let its exception out."),
            Map.entry(1665, BINLOG),
            Map.entry(1021, DISK_FULL),
            Map.entry(1114, DISK_FULL));

    @Override
    public SqlErrorKind classify(SQLException error) {
        var byNumber = NUMBERS.get(error.getErrorCode());
        if (byNumber != null) {
            return byNumber;
        }
        if (ADVICE.containsKey(error.getErrorCode())) {
            return SqlErrorKind.REFUSED;
        }
        String state = error.getSQLState() == null ? "" : error.getSQLState();
        for (int length = state.length(); length >= 2; length--) {
            var found = CLASSES.get(state.substring(0, length));
            if (found != null) {
                return found;
            }
        }
        // An error with a number is the server's answer, so nothing happened; without one nothing is known.
        return error.getErrorCode() > 0 ? SqlErrorKind.REFUSED : SqlErrorKind.REFUSED_LATE;
    }

    /** Never called: nothing is committed in a pipeline. */
    @Override
    public boolean isDuplicate(SQLException error) {
        return error.getErrorCode() == 1062;
    }

    @Override
    public boolean isRejectedWork(SQLException error) {
        String state = error.getSQLState();
        return state != null && state.startsWith("23");
    }

    /** A conflict at a commit may be told by a node that does not know whether the others have committed. */
    @Override
    public StoreException commitFailure(String doing, SQLException error) {
        return isContention(error)
                ? StoreException.unavailable(
                        doing + " failed with " + SqlErrorTranslator.code(error) + ".", Effect.UNKNOWN, error)
                : translate(doing, error, Effect.UNKNOWN);
    }

    @Override
    public boolean isMissingPrivilege(SQLException error) {
        return switch (error.getErrorCode()) {
            case 1044, 1142, 1143 -> true;
            default -> false;
        };
    }

    @Override
    public boolean isReadOnly(SQLException error) {
        return READ_ONLY.equals(ADVICE.get(error.getErrorCode()));
    }

    @Override
    public String advice(SQLException error) {
        return ADVICE.getOrDefault(error.getErrorCode(), "See the cause for the database's message.");
    }
}
