package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.BAD_DATA;
import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.LOCKED;
import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.LOST;
import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.OUT_OF_REACH;
import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.REFUSED;
import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.REFUSED_LATE;
import static dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind.TRY_AGAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.mysql.MysqlErrorTranslator;
import dev.refrain.store.jdbc.internal.postgresql.PostgresErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.PartialBatchException;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.TableLockedException;
import dev.refrain.store.jdbc.internal.sqlite.SqliteErrorTranslator;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors are known by their code, never by their text. */
class SqlErrorTranslatorTest {

    private final SqlErrorTranslator postgres = new PostgresErrorTranslator();
    private final SqlErrorTranslator sqlite = new SqliteErrorTranslator();

    private final SqlErrorTranslator mysql = new MysqlErrorTranslator();

    static Stream<Arguments> mysqlErrors() {
        return Stream.of(
                arguments("40001", 1213, TRY_AGAIN, "deadlock: the transaction is rolled back"),
                arguments("HY000", 1205, LOCKED, "lock wait timeout, and NOWAIT on MariaDB: the statement is undone"),
                arguments("HY000", 3572, LOCKED, "NOWAIT on MySQL"),
                arguments("HY000", 1020, TRY_AGAIN, "a row changed after a snapshot of MariaDB"),
                arguments("HY000", 3101, TRY_AGAIN, "rolled back by Group Replication at the commit"),
                arguments("70100", 1317, TRY_AGAIN, "statement cancelled"),
                arguments("08004", 1040, OUT_OF_REACH, "too many connections"),
                arguments("08S01", 1047, OUT_OF_REACH, "a node that is not part of its cluster"),
                arguments("08S01", 1053, LOST, "server going down"),
                arguments("08000", 0, LOST, "connection lost, from the driver"),
                arguments("23000", 1062, BAD_DATA, "duplicate"),
                arguments("22001", 1406, BAD_DATA, "too long"),
                arguments("HY000", 3819, BAD_DATA, "check violated on MySQL"),
                arguments("23000", 4025, BAD_DATA, "check violated on MariaDB"),
                arguments("08S01", 1153, BAD_DATA, "larger than a packet"),
                arguments("HY000", 1114, REFUSED, "table full"),
                arguments("HY000", 1290, REFUSED, "read-only"),
                arguments("42000", 1142, REFUSED, "no privilege"),
                arguments("28000", 1045, REFUSED, "wrong password"),
                arguments("42S02", 1146, REFUSED, "no such table"),
                arguments(null, 0, REFUSED_LATE, "nothing is known"));
    }

    @ParameterizedTest
    @MethodSource("mysqlErrors")
    void errorsOfMysqlAreKnownByTheirNumber(String state, int code, SqlErrorTranslator.SqlErrorKind kind, String what) {
        assertThat(mysql.classify(new SQLException(what, state, code))).isEqualTo(kind);
    }

    /** The nodes of a cluster agree at the commit: one that refuses may not know what the others did. */
    @Test
    void commitOfMysqlThatFailsByAConflictIsAnUnknownOutcome() {
        assertThat(mysql.notCommitted("Committing", new SQLException("conflict", "40001", 1213))
                        .effect())
                .isEqualTo(Effect.UNKNOWN);
        assertThat(mysql.translate("Writing", new SQLException("conflict", "40001", 1213), Effect.UNKNOWN)
                        .effect())
                .isEqualTo(Effect.NONE);
    }

    static Stream<Arguments> postgresStates() {
        return Stream.of(
                arguments("08001", OUT_OF_REACH, "connection refused"),
                arguments("08003", OUT_OF_REACH, "connection closed before anything was sent"),
                arguments("08006", LOST, "connection lost"),
                arguments("08007", LOST, "outcome of the transaction unknown"),
                arguments("40003", LOST, "statement completion unknown"),
                arguments("57P01", LOST, "server shut down by its administrator"),
                arguments("57P02", LOST, "server crashed"),
                arguments("57P03", OUT_OF_REACH, "server starts up"),
                arguments("22021", BAD_DATA, "a NUL in a text"),
                arguments("22003", BAD_DATA, "number out of range"),
                arguments("23514", BAD_DATA, "check violated"),
                arguments("23505", BAD_DATA, "unique violated"),
                arguments("54000", BAD_DATA, "row too large"),
                arguments("40001", TRY_AGAIN, "serialisation failure"),
                arguments("40P01", TRY_AGAIN, "deadlock"),
                arguments("55P03", LOCKED, "lock timeout"),
                arguments("57014", TRY_AGAIN, "statement timeout"),
                arguments("53200", TRY_AGAIN, "out of memory"),
                arguments("53300", TRY_AGAIN, "too many connections"),
                arguments("53100", REFUSED, "disk full"),
                arguments("25006", REFUSED, "read-only"),
                arguments("42P01", REFUSED, "no such table"),
                arguments("42501", REFUSED, "no permission"),
                arguments("28P01", REFUSED, "wrong password"),
                arguments("XX002", REFUSED, "index corrupted"),
                arguments(null, REFUSED_LATE, "nobody knows"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("postgresStates")
    void postgresStateIsClassified(String state, SqlErrorTranslator.SqlErrorKind meaning, String what) {
        assertThat(postgres.classify(new SQLException(what, state))).isEqualTo(meaning);
    }

    static Stream<Arguments> sqliteCodes() {
        return Stream.of(
                arguments(5, TRY_AGAIN, "BUSY"),
                arguments(517, TRY_AGAIN, "BUSY_SNAPSHOT"),
                arguments(6, TRY_AGAIN, "LOCKED"),
                arguments(8, REFUSED, "READONLY"),
                arguments(1032, REFUSED, "READONLY_DBMOVED"),
                arguments(10, REFUSED_LATE, "IOERR"),
                arguments(1034, REFUSED_LATE, "IOERR_FSYNC"),
                arguments(11, REFUSED_LATE, "CORRUPT"),
                arguments(13, REFUSED, "FULL"),
                arguments(14, REFUSED, "CANTOPEN"),
                arguments(19, BAD_DATA, "CONSTRAINT"),
                arguments(18, BAD_DATA, "TOOBIG"),
                arguments(26, REFUSED, "NOTADB"),
                arguments(1, REFUSED, "ERROR"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("sqliteCodes")
    void sqliteCodeIsClassified(int code, SqlErrorTranslator.SqlErrorKind meaning, String what) {
        assertThat(sqlite.classify(new SQLException(what, null, code))).isEqualTo(meaning);
    }

    @Test
    void onlyALostReplyLeavesTheEffectUnknown() {
        assertThat(translated("08006", Effect.UNKNOWN).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(translated("08006", Effect.NONE).effect()).isEqualTo(Effect.NONE);
        assertThat(translated("40001", Effect.UNKNOWN).effect()).isEqualTo(Effect.NONE);
        assertThat(translated("25006", Effect.UNKNOWN).effect()).isEqualTo(Effect.NONE);
    }

    @Test
    void lockAfterAnEarlierStepWasCommittedIsNoRejectedRow() {
        var failed = postgres.translate(
                "Claiming",
                new PartialBatchException(new TableLockedException(new SQLException("", "55P03"))),
                Effect.UNKNOWN);

        assertThat(failed).isNotInstanceOf(RowRejectedException.class);
        assertThat(failed.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failed.isTransient()).isTrue();
    }

    @Test
    void serializationFailureSaysThatARetryIsSafe() {
        assertThat(translated("40001", Effect.UNKNOWN))
                .hasMessageContainingAll("SQLSTATE 40001", "serialization failure", "A retry is safe");
        assertThat(translated("53300", Effect.UNKNOWN).getMessage()).endsWith("SQLSTATE 53300.");
    }

    @Test
    void preparedStatementsBehindAPoolerAreExplained() {
        assertThat(translated("42P05", Effect.NONE)).hasMessageContaining("prepareThreshold=0");
        assertThat(translated("26000", Effect.NONE)).hasMessageContaining("prepareThreshold=0");
    }

    @Test
    void failureAfterACommittedStepHasAnUnknownEffect() {
        var failed = postgres.translate(
                "Claiming", new PartialBatchException(new SQLException("", "40001")), Effect.UNKNOWN);

        assertThat(failed.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failed.isTransient()).isTrue();
    }

    @Test
    void permanentErrorSaysWhatToDoAndQuotesNoRow() {
        var failed = postgres.translate(
                "Claiming 2 keys", new SQLException("Failing row contains (secret)", "25006"), Effect.UNKNOWN);

        assertThat(failed)
                .hasMessage("Claiming 2 keys failed with SQLSTATE 25006. The database is read-only: connect to the"
                        + " primary, or disable default_transaction_read_only.");
        assertThat(failed.isTransient()).isFalse();
    }

    @Test
    void guiltyRowSplitsItsBatch() {
        assertThat(translated("22021", Effect.UNKNOWN)).isInstanceOf(RowRejectedException.class);
        assertThat(translated("22021", Effect.UNKNOWN).isTransient()).isFalse();
        assertThat(translated("55P03", Effect.UNKNOWN)).isInstanceOf(RowRejectedException.class);
        assertThat(translated("55P03", Effect.UNKNOWN).isTransient()).isTrue();
    }

    private StoreException translated(String state, Effect ifLost) {
        return postgres.translate("Claiming", new SQLException("", state), ifLost);
    }
}
