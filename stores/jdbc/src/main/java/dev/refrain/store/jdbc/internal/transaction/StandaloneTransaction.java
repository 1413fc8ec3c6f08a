package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.WriteResponse.Refused;
import dev.refrain.store.WriteResponse.Written;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import dev.refrain.store.jdbc.internal.transaction.ConnectionHandoverQueue.TransactionSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One operation in a transaction of its own, on a connection of the application's pool. It needs no savepoint, which would
 * cost every run: failed work is rolled back with all of it, and its outcome is written in a second transaction, under the
 * same lock taken anew.
 */
public final class StandaloneTransaction extends JdbcStoreTransaction {

    private static final Duration OWN_LOCK = Duration.ofSeconds(1);
    private static final int LOOKS = 200;

    private final ConnectionHandoverQueue line;
    private final Dialect dialect;
    private final JdbcTimeouts timeouts;
    private @Nullable TransactionSession transactionSession;
    private @Nullable GuardedConnection work;
    private boolean startedOver;

    public StandaloneTransaction(Store store, ConnectionHandoverQueue line, Dialect dialect, JdbcTimeouts timeouts) {
        super(store, dialect.failures());
        this.line = line;
        this.dialect = dialect;
        this.timeouts = timeouts;
    }

    @Override
    public ClaimResponse tryClaim(ClaimRequest request) {
        try {
            return claimAnswer(
                    request, transactionSession == null ? enterFirst(request) : enterNow(request), session());
        } catch (SQLException e) {
            throw failures().translate("Entering the transaction of " + request.identity(), e, Effect.NONE);
        }
    }

    private KeyLockResult enterFirst(ClaimRequest request) throws SQLException {
        try {
            transactionSession = line.take(request);
        } catch (SQLException e) {
            throw StoreException.unavailable("Beginning a transaction: no connection.", Effect.NONE, e);
        }
        var found = transactionSession.entered();
        if (found.isEmpty()) {
            return transactionSession.contested() ? enterPatiently(request) : enterNow(request);
        }
        transaction().arrive();
        return found.get();
    }

    /**
     * Someone who was slow to commit may have taken our lock for us, and gives it back as soon as it sees that we did not wait. To be told
     * "in progress" by it would be wrong; should it be a twin's, that is told a little later.
     */
    private KeyLockResult enterPatiently(ClaimRequest request) throws SQLException {
        long deadline = line.now() + OWN_LOCK.toNanos();
        var found = enterNow(request);
        while (!found.granted() && !found.recordExists() && line.now() - deadline < 0) {
            LockSupport.parkNanos(OWN_LOCK.dividedBy(LOOKS).toNanos());
            found = enterNow(request);
        }
        return found;
    }

    /** Where there is one write lock for all, it may be waited for. */
    private KeyLockResult enterNow(ClaimRequest request) throws SQLException {
        if (dialect.hasConcurrentWriters()) {
            return KeyLockResult.lockStandalone(session(), request);
        }
        return WriteLockRetry.retryWithin(timeouts.lock(), failures(), () -> {
            try {
                return KeyLockResult.lockStandalone(session(), request);
            } catch (SQLException e) {
                transactionSession = transactionSession().startOver();
                throw e;
            }
        });
    }

    @Override
    public Connection connection() {
        if (work == null) {
            work = new GuardedConnection(transaction().connection());
            transaction().exposeConnection(work.proxy());
        }
        return work.proxy();
    }

    @Override
    public void rollbackWork() {
        try {
            endWork();
            work = null;
            transactionSession = transactionSession().startOver();
            startedOver = true;
        } catch (SQLException e) {
            throw failures().translate("Taking back the work", e, Effect.NONE);
        }
    }

    @Override
    public boolean isRollbackOnly() {
        return transaction().doomed();
    }

    @Override
    public WriteResponse complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        if (isRollbackOnly()) {
            // The work has taken itself back; its answer is an outcome all the same.
            rollbackWork();
        }
        try {
            if (startedOver) {
                // The lock went with the first transaction: someone else may have come in between.
                startedOver = false;
                if (!isStillOurs(request, acquired, KeyLockResult.lockStandalone(session(), request), session())) {
                    return new Refused(Optional.empty());
                }
            }
            return outcomeWrite(request, acquired, outcome).write(session(), OpenTransactionCheck.OWN);
        } catch (SQLException e) {
            throw failures().translate("Settling " + request.identity(), e, Effect.NONE);
        }
    }

    @Override
    public void commit() {
        try {
            transaction().commit();
        } catch (SQLException e) {
            throw failures().translate("Committing", e, Effect.UNKNOWN);
        }
    }

    @Override
    public WriteResponse completeAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        var settling = outcomeWrite(request, acquired, outcome);
        if (transaction().doomed()
                || !transaction().commitsInPipeline()
                || startedOver
                || !settling.fitsOneRoundTrip()) {
            return super.completeAndCommit(request, acquired, outcome);
        }
        boolean asItWas = !frozen() && (work == null || work.isUnmodified());
        var next = asItWas ? line.next(transactionSession()) : null;
        return next == null ? commitAlone(settling) : commitAndHandOn(settling, next);
    }

    private WriteResponse commitAlone(OutcomeWrite settling) {
        try {
            settling.writeAndCommit(session());
            transaction().markCommitted();
            return new Written();
        } catch (SQLException e) {
            return refusedAsDuplicate(settling, e)
                    .orElseThrow(() ->
                            failures().translate("Settling and committing " + settling.identity(), e, Effect.UNKNOWN));
        }
    }

    /** Whatever fails in this trip may have failed after our commit: only a duplicate is certainly ours, and before it. */
    private WriteResponse commitAndHandOn(OutcomeWrite settling, ConnectionHandoverQueue.Waiter next) {
        try {
            endWork();
            var found = KeyLockResult.lockAfterCommit(settling, session(), next.request());
            handOn(next, transactionSession().handOn(found));
            return new Written();
        } catch (SQLException e) {
            line.giveBack(next);
            return refusedAsDuplicate(settling, e).orElseThrow(() -> inDoubt(settling, e));
        } catch (RuntimeException | Error e) {
            line.giveBack(next);
            throw e;
        }
    }

    /** It is the next one's from the moment that it is passed. If nobody takes it, it ends here. */
    private void handOn(ConnectionHandoverQueue.Waiter next, TransactionSession handed) {
        handed.own().leave();
        if (line.pass(next, handed)) {
            transactionSession = null;
        } else {
            handed.own().arrive();
        }
    }

    /** With what the error would mean if it came before the commit, for when that turns out to be so. */
    private StoreException inDoubt(OutcomeWrite settling, SQLException error) {
        String doing = "Settling and committing " + settling.identity();
        return StoreException.unavailable(
                doing + " failed.", Effect.UNKNOWN, failures().translate(doing, error, Effect.UNKNOWN));
    }

    /** Ours, or one that the work deferred to the commit? What is there tells. */
    private Optional<WriteResponse> refusedAsDuplicate(OutcomeWrite settling, SQLException error) {
        return failures().isDuplicate(error)
                ? findOutsideTransaction(settling.request()).map(there -> new Refused(Optional.of(there)))
                : Optional.empty();
    }

    @Override
    public void close() {
        var open = transactionSession;
        if (open == null) {
            return;
        }
        transactionSession = null;
        try {
            endWork();
            open.session().close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        open.own().rollbackAndRelease();
    }

    private void endWork() throws SQLException {
        if (work != null) {
            work.invalidate();
        }
    }

    private TransactionSession transactionSession() {
        return Objects.requireNonNull(transactionSession, "enter() comes first");
    }

    private SqlSession session() {
        return transactionSession().session();
    }

    private DatabaseTransaction transaction() {
        return transactionSession().own();
    }
}
