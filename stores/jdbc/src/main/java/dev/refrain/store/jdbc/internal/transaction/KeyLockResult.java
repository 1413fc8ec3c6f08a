package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.record.ClaimScripts;
import dev.refrain.store.jdbc.internal.record.RecordFinder;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Result of acquiring a key's lock in a transaction.
 *
 * @param granted whether this transaction holds the key's lock
 * @param fixedSnapshot whether the transaction reads by a snapshot that may be older than the lock
 * @param recordExists whether there was a record after the lock; false with a fixed snapshot, which is not asked
 */
record KeyLockResult(boolean granted, boolean fixedSnapshot, boolean recordExists) {

    private static final ParameterizedScript<ClaimRequest> OWN = entering("enter");
    private static final ParameterizedScript<ClaimRequest> JOINED = entering("enter_joined");
    private static final ParameterizedScript<ClaimRequest> LEAVE = entering("leave");
    private static final ParameterizedScript<ClaimRequest> CHAINED = entering("enter_chained");

    public static KeyLockResult lockStandalone(SqlSession session, ClaimRequest request) throws SQLException {
        var reading = new ResultReader();
        session.run(OWN, request, reading);
        return reading.entered();
    }

    public static KeyLockResult lockJoined(SqlSession session, ClaimRequest request) throws SQLException {
        var reading = new ResultReader();
        session.run(JOINED, request, reading);
        return reading.entered();
    }

    /** Gives a lock back that outlives its transaction. */
    static void release(SqlSession session, ClaimRequest request) throws SQLException {
        session.run(LEAVE, request, (result, columns) -> {});
    }

    /**
     * Completes and commits one transaction, begins the next and acquires its lock, in one round trip. Not for fixed snapshots.
     */
    public static KeyLockResult lockAfterCommit(OutcomeWrite settling, SqlSession session, ClaimRequest next)
            throws SQLException {
        var reading = new ResultReader();
        session.runBoth(OutcomeWrite.CHAIN, settling, CHAINED, next, reading);
        return reading.entered();
    }

    /** Returns the record, even if it has expired; rejects that of another identity. */
    public Optional<StoredRecord> record(SqlSession session, ClaimRequest request) throws SQLException {
        return recordExists ? RecordFinder.findEvenExpired(session, request) : Optional.empty();
    }

    private static ParameterizedScript<ClaimRequest> entering(String script) {
        return ParameterizedScript.<ClaimRequest>script(script)
                .include(ClaimScripts.CLAIM, r -> r)
                .number("lock", r -> SqlScriptLibrary.lockOf(r.lookup()));
    }

    /** Reads two results: the lock, and the record after it. */
    private static final class ResultReader implements SqlSession.RowHandler {
        private boolean granted;
        private boolean frozen;
        private boolean there;

        @Override
        public void handle(int result, SqlResultRow columns) throws SQLException {
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
