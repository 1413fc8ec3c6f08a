package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ClaimResponse.Acquired;
import dev.refrain.store.ClaimResponse.Found;
import dev.refrain.store.ClaimResponse.LockedByTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.record.ClaimDecision;
import dev.refrain.store.jdbc.internal.record.ClaimedRecordFactory;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * One operation in one transaction: a lock that is tested and not waited for, the work, and one write at the end.
 *
 * <p>Above READ COMMITTED a transaction does not see what was committed after its snapshot, even with the lock in hand.
 * Two things keep that harmless. What it would acquire is read once more outside of it; and the write at the end meets
 * the row itself, so that a record it could not see makes it fail (SQLSTATE 40001) and never doubles anything.
 */
abstract class JdbcStoreTransaction implements StoreTransaction<Connection> {

    private final Store store;
    private final SqlErrorTranslator failures;
    private Optional<StoredRecord> seen = Optional.empty();
    private boolean frozen;

    JdbcStoreTransaction(Store store, SqlErrorTranslator failures) {
        this.store = store;
        this.failures = failures;
    }

    /** Nothing was written yet that could be in doubt. */
    final ClaimResponse claimAnswer(ClaimRequest request, KeyLockResult entered, SqlSession session)
            throws SQLException {
        seen = entered.record(session, request);
        frozen = entered.fixedSnapshot();
        if (!entered.granted()) {
            return withoutLock(request);
        }
        var answer = judged(request);
        return entered.fixedSnapshot() && answer instanceof Acquired ? checkedOutside(request, answer) : answer;
    }

    /** Another retry may hold the lock only to read, so what is there and not to be claimed is told without it. */
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

    /** Nobody else can be about to settle it, because we have the lock: what is there now stays. */
    private ClaimResponse checkedOutside(ClaimRequest request, ClaimResponse inside) {
        var outside = findOutsideTransaction(request);
        var alive = seen.filter(record -> !record.isExpired());
        if (outside.map(StoredRecord::claim).equals(alive.map(StoredRecord::claim))
                && outside.map(StoredRecord::state).equals(alive.map(StoredRecord::state))) {
            return inside;
        }
        if (outside.isPresent() && !outside.get().isClaimable()) {
            return new Found(outside.get());
        }
        throw StoreException.unavailable(
                "The record of " + request.identity()
                        + " changed after this transaction began, at an isolation level at"
                        + " which it cannot be seen: try again in a new transaction.",
                Effect.NONE,
                new IllegalStateException("snapshot older than the record"));
    }

    /** What everybody else can see. */
    final Optional<StoredRecord> findOutsideTransaction(ClaimRequest request) {
        return store.find(List.of(request.identity())).getFirst();
    }

    /** Whether a lock that was lost and taken again still finds what it found at first. */
    final boolean isStillOurs(ClaimRequest request, StoredRecord acquired, KeyLockResult again, SqlSession session)
            throws SQLException {
        seen = again.record(session, request);
        return again.granted()
                && judged(request) instanceof Acquired now
                && now.record().claim().equals(acquired.claim());
    }

    final OutcomeWrite outcomeWrite(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        return new OutcomeWrite(request, acquired, seen, outcome);
    }

    /** Whether this transaction reads by a snapshot that may be older than its lock. */
    final boolean frozen() {
        return frozen;
    }

    final SqlErrorTranslator failures() {
        return failures;
    }
}
