package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ClaimResponse.Acquired;
import dev.refrain.store.ClaimResponse.Found;
import dev.refrain.store.ClaimResponse.LockedByTransaction;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.record.ClaimDecision;
import dev.refrain.store.jdbc.internal.record.ClaimedRecordFactory;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Transaction of one operation: a lock that is tried without waiting, the work, and one write at the end.
 *
 * <p>Above READ COMMITTED a transaction does not see commits after its snapshot, even while it holds the lock. So the record is read
 * outside of it, under its lock; and the write at the end conflicts with the row itself, so that a record its snapshot cannot see
 * makes it fail (SQLSTATE 40001) and never doubles anything. Nothing of Refrain is read inside: at SERIALIZABLE that would be a
 * conflict with every transaction that inserts a key beside this one.
 */
abstract class JdbcStoreTransaction implements StoreTransaction<Connection> {

    private final CommittedRecords committed;
    private final OperationNameIds operations;
    private final SqlErrorTranslator failures;
    private Optional<StoredRecord> seen = Optional.empty();
    private boolean frozen;
    private @Nullable ClaimRequest locking;

    JdbcStoreTransaction(CommittedRecords committed, OperationNameIds operations, SqlErrorTranslator failures) {
        this.committed = committed;
        this.operations = operations;
        this.failures = failures;
    }

    /** Answers the claim; nothing has been written yet whose effect could be unknown. */
    final ClaimResponse claimAnswer(ClaimRequest request, KeyLockResult entered, SqlSession session)
            throws SQLException {
        seen = read(entered, request, session);
        frozen = entered.fixedSnapshot();
        if (!entered.granted()) {
            locking = null;
            return withoutLock(request);
        }
        return judged(request);
    }

    /** Answers without the lock, which another retry may hold only to read: a record that cannot be claimed is returned. */
    private ClaimResponse withoutLock(ClaimRequest request) {
        return seen.filter(record -> ClaimDecision.decide(record, request) == ClaimDecision.LEAVE)
                .<ClaimResponse>map(Found::new)
                .orElseGet(LockedByTransaction::new);
    }

    private ClaimResponse judged(ClaimRequest request) {
        if (seen.isEmpty()) {
            return new Acquired(ClaimedRecordFactory.newRecord(request));
        }
        var record = seen.get();
        return switch (ClaimDecision.decide(record, request)) {
            case REPLACE -> new Acquired(ClaimedRecordFactory.newRecord(request));
            case TAKE -> new Acquired(ClaimedRecordFactory.takenOverRecord(request, record));
            case OWN, HOLD, LEAVE -> new Found(record);
        };
    }

    /** Reads the record by a snapshot that is later than the lock; only what a frozen transaction wrote itself is read inside of it. */
    private Optional<StoredRecord> read(KeyLockResult entered, ClaimRequest request, SqlSession session)
            throws SQLException {
        if (!entered.fixedSnapshot()) {
            return entered.record(session, request);
        }
        var there = committed.find(request);
        return isDone(there) ? there : ownOutcome(session, request).or(() -> there);
    }

    /** Returns what this transaction wrote under the key before this run and has not committed. */
    Optional<StoredRecord> ownOutcome(SqlSession session, ClaimRequest request) throws SQLException {
        return Optional.empty();
    }

    static boolean isDone(Optional<StoredRecord> record) {
        return record.filter(r -> r.state() == RecordState.COMPLETED && !r.isExpired())
                .isPresent();
    }

    /** Notes that this key's lock is about to be taken: if anything fails from now on, it may be held. */
    final void beginLocking(ClaimRequest request, Dialect dialect) {
        locking = dialect.keyLocksOutliveTransactions() ? request : null;
    }

    /** Gives the key's lock back where it does not end with the transaction. */
    final void releaseLock(SqlSession session) throws SQLException {
        var held = locking;
        if (held != null) {
            locking = null;
            KeyLockResult.release(session, held);
        }
    }

    /** The same where nothing may fail: with its connection, the lock ends too. */
    final void releaseLockOrBreakOff(SqlSession session) {
        try {
            releaseLock(session);
        } catch (SQLException | RuntimeException e) {
            session.dialect().abort(session.connection());
        }
    }

    /** Reads the record as other transactions see it. */
    final Optional<StoredRecord> findOutsideTransaction(ClaimRequest request) {
        return committed.find(request).filter(record -> !record.isExpired());
    }

    /** Returns true if a lock that was lost and acquired again still finds the same record. */
    final boolean isStillOurs(ClaimRequest request, StoredRecord acquired, KeyLockResult again, SqlSession session)
            throws SQLException {
        seen = read(again, request, session);
        return again.granted()
                && judged(request) instanceof Acquired now
                && now.record().claim().equals(acquired.claim());
    }

    final OutcomeWrite outcomeWrite(
            ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome, SqlSession session)
            throws SQLException {
        return new OutcomeWrite(request, acquired, seen, outcome, operations.of(request, session), frozen);
    }

    /** Returns true if the claim found a record, for which others may have waited before this transaction began. */
    final boolean foundRecord() {
        return seen.isPresent();
    }

    /** Returns true if this transaction reads by a snapshot that may be older than its lock. */
    final boolean frozen() {
        return frozen;
    }

    final SqlErrorTranslator failures() {
        return failures;
    }
}
