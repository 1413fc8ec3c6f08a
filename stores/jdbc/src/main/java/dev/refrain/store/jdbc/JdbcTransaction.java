package dev.refrain.store.jdbc;

import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimAnswer.Acquired;
import dev.refrain.store.ClaimAnswer.Found;
import dev.refrain.store.ClaimAnswer.Unseen;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.WriteAnswer.Refused;
import dev.refrain.store.WriteAnswer.Written;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * One operation in one transaction: a lock that is tested and not waited for, the work, and one write at the end.
 *
 * <p>In a transaction of the caller's the work stands behind a savepoint. None of our statements there is expected to
 * fail; should one fail nevertheless, everything since {@link #enter} is taken back and the transaction can be used
 * again. A transaction of our own needs no savepoint, which would cost every run: failed work is rolled back with all
 * of it, and its outcome is written in a second transaction, under the same lock taken anew.
 *
 * <p>Above READ COMMITTED a transaction does not see what was committed after its snapshot, even with the lock in hand.
 * Two things keep that harmless. What it would acquire is read once more outside of it; and the write at the end meets
 * the row itself, so that a record it could not see makes it fail (SQLSTATE 40001) and never doubles anything.
 */
final class JdbcTransaction implements StoreTransaction<Connection> {

    private final Store store;
    private final Session session;
    private final Ownership ownership;
    private final Timeouts timeouts;
    private Optional<StoredRecord> seen = Optional.empty();
    private boolean startedOver;

    JdbcTransaction(Store store, Session session, Ownership ownership, Timeouts timeouts) {
        this.store = store;
        this.session = session;
        this.ownership = ownership;
        this.timeouts = timeouts;
    }

    @Override
    public Connection connection() {
        return ownership.connection();
    }

    @Override
    public ClaimAnswer enter(ClaimRequest request) {
        try {
            var entered = entered(request);
            seen = entered.found(request.identity());
            if (!entered.granted()) {
                return withoutLock(request);
            }
            var answer = judged(request);
            return entered.frozen() && answer instanceof Acquired ? checkedOutside(request, answer) : answer;
        } catch (SQLException e) {
            throw failed("Entering the transaction of " + request.identity(), e, Effect.NONE);
        }
    }

    /**
     * A transaction of our own may wait for the one write lock; the caller's never waits, since it cannot begin anew.
     */
    private Entered entered(ClaimRequest request) throws SQLException {
        if (session.dialect().manyWriters() || !ownership.ours()) {
            return Entered.by(session, request, ownership.ours());
        }
        return WriteLock.within(timeouts.lock(), session.dialect().failures(), () -> {
            try {
                return Entered.by(session, request, true);
            } catch (SQLException e) {
                ownership.startOver();
                throw e;
            }
        });
    }

    /** Another retry may hold the lock only to read, so what is there and not to be claimed is told without it. */
    private ClaimAnswer withoutLock(ClaimRequest request) {
        return seen.filter(record -> Ruling.on(record, request) == Ruling.LEAVE)
                .<ClaimAnswer>map(Found::new)
                .orElseGet(Unseen::new);
    }

    private ClaimAnswer judged(ClaimRequest request) {
        if (seen.isEmpty()) {
            return new Acquired(Unwritten.madeBy(request));
        }
        var record = seen.get();
        return switch (Ruling.on(record, request)) {
            case REPLACE -> new Acquired(Unwritten.madeBy(request));
            case TAKE -> new Acquired(Unwritten.takenBy(request, record));
            case OWN, HOLD, LEAVE -> new Found(record);
        };
    }

    /** Nobody else can be about to settle it, because we have the lock: what is there now stays. */
    private ClaimAnswer checkedOutside(ClaimRequest request, ClaimAnswer inside) {
        var outside = store.find(List.of(request.identity())).getFirst();
        var alive = seen.filter(record -> !Seen.expired(record));
        if (outside.map(StoredRecord::claim).equals(alive.map(StoredRecord::claim))
                && outside.map(StoredRecord::state).equals(alive.map(StoredRecord::state))) {
            return inside;
        }
        if (outside.isPresent() && !outside.get().claimable()) {
            return new Found(outside.get());
        }
        throw StoreException.unavailable(
                "The record of " + request.identity()
                        + " changed after this transaction began, at an isolation level at"
                        + " which it cannot be seen: try again in a new transaction.",
                Effect.NONE,
                new IllegalStateException("snapshot older than the record"));
    }

    @Override
    public void undoWork() {
        try {
            if (ownership.ours()) {
                ownership.startOver();
                startedOver = true;
            } else {
                Settling.undo(session);
            }
        } catch (SQLException e) {
            throw session.dialect().failures().translate("Taking back the work", e, Effect.NONE);
        }
    }

    @Override
    public WriteAnswer settle(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        try {
            if (startedOver && !isStillOurs(request, acquired)) {
                return new Refused(Optional.empty());
            }
            return new Settling(request, acquired, seen, outcome).write(session)
                    ? new Written()
                    : new Refused(Optional.empty());
        } catch (SQLException e) {
            throw failed("Settling " + request.identity(), e, Effect.NONE);
        }
    }

    @Override
    public WriteAnswer settleAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        boolean inOneTrip = ownership.ours()
                && session.dialect().commitsInPipeline()
                && !startedOver
                && seen.isEmpty()
                && outcome.isPresent();
        if (!inOneTrip) {
            return StoreTransaction.super.settleAndCommit(request, acquired, outcome);
        }
        try {
            new Settling(request, acquired, seen, outcome).writeAndCommit(session);
            ownership.committed();
            return new Written();
        } catch (SQLException e) {
            if (session.dialect().failures().isDuplicate(e)) {
                // Ours, or one that the work deferred to the commit? What is there tells.
                var there = store.find(List.of(request.identity())).getFirst();
                if (there.isPresent()) {
                    return new Refused(there);
                }
            }
            throw failed("Settling and committing " + request.identity(), e, Effect.UNKNOWN);
        }
    }

    /** The first transaction was rolled back and its lock with it: someone else may have come in between. */
    private boolean isStillOurs(ClaimRequest request, StoredRecord acquired) throws SQLException {
        startedOver = false;
        var entered = Entered.by(session, request, ownership.ours());
        seen = entered.found(request.identity());
        return entered.granted()
                && judged(request) instanceof Acquired again
                && again.record().claim().equals(acquired.claim());
    }

    @Override
    public void commit() {
        try {
            ownership.commit();
        } catch (SQLException e) {
            throw session.dialect().failures().translate("Committing", e, Effect.UNKNOWN);
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        ownership.end();
    }

    /** The caller's transaction is made usable again where it can be; ours ends anyway. */
    private StoreException failed(String doing, SQLException error, Effect ifLost) {
        if (!ownership.ours()) {
            try {
                Settling.undo(session);
            } catch (SQLException e) {
                error.addSuppressed(e);
            }
        }
        return session.dialect().failures().translate(doing, error, ifLost);
    }
}
