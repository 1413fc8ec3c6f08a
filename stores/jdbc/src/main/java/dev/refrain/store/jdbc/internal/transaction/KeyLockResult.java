package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.record.ClaimScripts;
import dev.refrain.store.jdbc.internal.record.RecordFinder;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Result of acquiring a key's lock in a transaction.
 *
 * @param granted whether this transaction holds the key's lock
 * @param fixedSnapshot whether the transaction reads by a snapshot that may be older than the lock
 * @param recordExists whether there was a record after the lock; false with a fixed snapshot, which is not asked
 */
record KeyLockResult(boolean granted, boolean fixedSnapshot, boolean recordExists) {

    /** Request for the key's lock in a transaction of our own, and the limits of that. */
    record LockRequest(ClaimRequest request, TransactionLimits limits) {

        /** Patience that a run and its end may use up beside its maximum run time: for its lock, for its outcome and commit, for both again. */
        private static final int CALLS = 4;

        private static final Duration MARGIN = Duration.ofSeconds(5);
        private static final Duration LONGEST = Duration.ofDays(20);

        /** Returns the time after which the server ends the transaction itself: its client, if alive, has done so long before. */
        long unattendedMillis() {
            return limits.maxRun().compareTo(LONGEST) >= 0 || limits.patience().compareTo(LONGEST) >= 0
                    ? LONGEST.toMillis()
                    : limits.maxRun()
                            .plus(limits.patience().multipliedBy(CALLS))
                            .plus(MARGIN)
                            .toMillis();
        }
    }

    private static final ParameterizedScript<LockRequest> OWN = bounded("enter");
    private static final ParameterizedScript<ClaimRequest> JOINED = entering("enter_joined");
    private static final ParameterizedScript<ClaimRequest> LEAVE = entering("leave");
    private static final ParameterizedScript<LockRequest> CHAINED = bounded("enter_chained");

    public static KeyLockResult lockStandalone(SqlSession session, LockRequest request) throws SQLException {
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
    public static KeyLockResult lockAfterCommit(OutcomeWrite settling, SqlSession session, LockRequest next)
            throws SQLException {
        var reading = new ResultReader();
        session.runBoth(OutcomeWrite.CHAIN, settling, CHAINED, next, reading);
        return reading.entered();
    }

    /** Returns the record, even if it has expired; rejects that of another identity. */
    public Optional<StoredRecord> record(SqlSession session, ClaimRequest request) throws SQLException {
        return recordExists ? RecordFinder.findEvenExpired(session, request) : Optional.empty();
    }

    private static ParameterizedScript<LockRequest> bounded(String script) {
        return ParameterizedScript.<LockRequest>script(script)
                .include(entering(script), LockRequest::request)
                .number("unattended", LockRequest::unattendedMillis);
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
