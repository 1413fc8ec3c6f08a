package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.record.ClaimExecutor;
import dev.refrain.store.jdbc.internal.record.RecordRow;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What entering a transaction found.
 *
 * @param granted whether the key's lock is ours
 * @param fixedSnapshot whether the transaction reads by a snapshot that may be older than the lock
 * @param recordExists whether there was a record after the lock
 */
record KeyLockResult(boolean granted, boolean fixedSnapshot, boolean recordExists) {

    private static final ParameterizedScript<ClaimRequest> OWN = entering("enter");
    private static final ParameterizedScript<ClaimRequest> CHAINED = entering("enter_chained");

    public static KeyLockResult lockStandalone(SqlSession session, ClaimRequest request) throws SQLException {
        var reading = new ResultReader();
        session.run(OWN, request, reading);
        return reading.entered();
    }

    /** @param savepoint the number of the one to set */
    public static KeyLockResult lockJoined(SqlSession session, ClaimRequest request, long savepoint)
            throws SQLException {
        var reading = new ResultReader();
        session.run(entering("enter_joined#" + savepoint), request, reading);
        return reading.entered();
    }

    /** Settles and commits one transaction, begins the next and enters it, in one round trip. Not for frozen ones. */
    public static KeyLockResult lockAfterCommit(OutcomeWrite settling, SqlSession session, ClaimRequest next)
            throws SQLException {
        var reading = new ResultReader();
        session.runBoth(OutcomeWrite.CHAIN, settling, CHAINED, next, reading);
        return reading.entered();
    }

    /** The record, expired ones included; another identity's is refused. */
    public Optional<StoredRecord> record(SqlSession session, ClaimRequest request) throws SQLException {
        if (!recordExists) {
            return Optional.empty();
        }
        var rows = session.runBatch(ClaimExecutor.FIND, List.of(request), RecordRow::read);
        rows.forEach(row -> row.liveRecordOf(request.identity()));
        return rows.stream().flatMap(row -> row.record().stream()).findFirst();
    }

    private static ParameterizedScript<ClaimRequest> entering(String script) {
        return ParameterizedScript.<ClaimRequest>script(script)
                .include(ClaimExecutor.CLAIM, r -> r)
                .number("lock", r -> SqlScriptLibrary.lockOf(r.lookup()));
    }

    /** Two results: the lock, and what was there after it. */
    private static final class ResultReader implements SqlSession.RowHandler {
        private boolean granted;
        private boolean frozen;
        private boolean there;

        @Override
        public void handle(int result, ResultRow columns) throws SQLException {
            if (result == 0) {
                granted = columns.flag("granted");
                frozen = columns.flag("frozen");
            } else {
                there = true;
            }
        }

        KeyLockResult entered() {
            return new KeyLockResult(granted, frozen, there);
        }
    }
}
