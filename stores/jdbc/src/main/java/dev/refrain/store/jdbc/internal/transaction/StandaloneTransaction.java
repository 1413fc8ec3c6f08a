package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RecordWriteResponse.Refused;
import dev.refrain.store.RecordWriteResponse.Written;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionSession;
import dev.refrain.store.jdbc.internal.transaction.KeyLockResult.LockRequest;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Transaction of one operation on a connection of the application's pool. It needs no savepoint, which would cost every run:
 * failed work is rolled back with the whole transaction, and its outcome is written in a second one, after acquiring the lock
 * again.
 */
public final class StandaloneTransaction extends JdbcStoreTransaction {

    private static final Duration OWN_LOCK = Duration.ofSeconds(1);
    private static final int LOOKS = 200;

    /** Nobody who found the key locked is registered before; a quarter less, because it may have been locked for us. */
    private static final Duration NOBODY_REGISTERED =
            WakeupChannel.EARLIEST_WATCH.multipliedBy(3).dividedBy(4);

    private final ConnectionWaitQueue queue;
    private final Dialect dialect;
    private final JdbcTimeouts timeouts;
    private final WaiterWakeup wakeups;
    private final CallWatchdog watchdog;
    private final TransactionLimits limits;

    private @Nullable TransactionSession open;
    private @Nullable GuardedConnection work;
    private boolean startedOver;

    /** Records whose waiters are woken when this transaction ends: a caller that finds the key locked may wait. */
    private List<KeyHash> toWake = List.of();

    private long acquiredAt;

    public StandaloneTransaction(
            CommittedRecords committed,
            OperationNameIds operations,
            ConnectionWaitQueue queue,
            Dialect dialect,
            JdbcTimeouts timeouts,
            WaiterWakeup wakeups,
            CallWatchdog watchdog,
            TransactionLimits limits) {
        super(committed, operations, dialect.failures());
        this.wakeups = wakeups;
        this.watchdog = watchdog;
        this.limits = limits;
        this.queue = queue;
        this.dialect = dialect;
        this.timeouts = timeouts;
    }

    @Override
    public ClaimResponse tryClaim(ClaimRequest request) {
        try (var call = watchdog.start(
                limits.patience(), open == null ? null : transaction().connection())) {
            var answer = claimAnswer(request, open == null ? enterFirst(request, call) : enterNow(request), session());
            if (answer instanceof ClaimResponse.Acquired) {
                toWake = List.of(request.lookup());
                acquiredAt = System.nanoTime();
            }
            return answer;
        } catch (SQLException e) {
            throw failures().translate("Entering the transaction of " + request.identity(), e, Effect.NONE);
        }
    }

    private KeyLockResult enterFirst(ClaimRequest request, CallWatchdog.WatchedCall call) throws SQLException {
        open = begun(() -> queue.take(request, limits));
        call.attach(transaction().connection());
        var found = open.entered();
        if (found.isPresent()) {
            transaction().arrive();
            return found.get();
        }
        try {
            return open.contested() ? enterPatiently(request) : enterNow(request);
        } catch (SQLException e) {
            if (call.isEnded() || !failures().isConnectionLost(e)) {
                throw e;
            }
        }
        // The connection died in its pool. Nothing ran on it; if the next one is dead too, it is the database.
        // It is broken off, so that its pool does not give it out again.
        dialect.abort(transaction().connection());
        transaction().rollbackAndRelease();
        open = null;
        call.detach();
        open = begun(queue::aside);
        call.attach(transaction().connection());
        return enterNow(request);
    }

    private TransactionSession begun(ConnectionWaitQueue.TransactionStarter starter) {
        try {
            return starter.begin();
        } catch (SQLException e) {
            throw failures().noConnection("Beginning a transaction", e);
        }
    }

    /**
     * Acquires the lock, with patience. A transaction that was slow to commit may have acquired it for us, and releases it as
     * soon as it sees that we stopped waiting. Answering "in progress" because of it would be wrong; if the lock belongs to a
     * concurrent call under the same key, the answer comes a little later.
     */
    private KeyLockResult enterPatiently(ClaimRequest request) throws SQLException {
        long deadline = queue.now() + OWN_LOCK.toNanos();
        var found = enterNow(request);
        while (!found.granted() && !found.recordExists() && queue.now() - deadline < 0) {
            LockSupport.parkNanos(OWN_LOCK.dividedBy(LOOKS).toNanos());
            found = enterNow(request);
        }
        return found;
    }

    /** Acquires the lock now; a database's single write lock may be waited for. */
    private KeyLockResult enterNow(ClaimRequest request) throws SQLException {
        beginLocking(request, dialect);
        if (dialect.hasConcurrentWriters()) {
            return lock(request);
        }
        return WriteLockRetry.retryWithin(timeouts.lock(), failures(), () -> {
            try {
                return lock(request);
            } catch (SQLException e) {
                open = open().startOver();
                throw e;
            }
        });
    }

    private KeyLockResult lock(ClaimRequest request) throws SQLException {
        return KeyLockResult.lockStandalone(session(), new LockRequest(request, limits));
    }

    @Override
    public Connection connection() {
        if (work == null) {
            work = new GuardedConnection(transaction().connection());
            transaction().exposeConnection(work.proxy());
        }
        return work.proxy();
    }

    /**
     * Ends the transaction while its work runs, which cannot call anything on its connection afterwards.
     *
     * <p>Where a cancelled statement ends its transaction, the next one would be committed at once. There it is cancelled only if none
     * can follow; otherwise everything is rolled back once the work returns.
     */
    @Override
    public void abort() {
        if (work != null) {
            work.refuseCalls();
        }
        if (dialect.mayRollBackOnCancel()
                && !(work != null && transaction().isReachedByGuardOnly() && work.isLastCall())) {
            return;
        }
        watchdog.abort(transaction().connection());
    }

    @Override
    public void rollbackWork() {
        try (var call = watchdog.startEnd(limits.patience(), transaction())) {
            endWork();
            work = null;
            releaseLock(session());
            transaction().rollbackForRestart();
            if (transaction().isReleasedByItsEnd()) {
                call.detach();
            }
            open = begun(open()::restarted);
            startedOver = true;
        } catch (SQLException e) {
            throw failures().translate("Rolling back the work", e, Effect.NONE);
        }
    }

    @Override
    public boolean isRollbackOnly() {
        return transaction().doomed();
    }

    @Override
    public RecordWriteResponse complete(ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
        if (isRollbackOnly()) {
            // The work has rolled itself back; its answer is still an outcome.
            rollbackWork();
        }
        try (var call = watchdog.start(limits.patience(), transaction().connection())) {
            if (startedOver) {
                // The lock ended with the first transaction: another caller may have come in between.
                startedOver = false;
                beginLocking(request, dialect);
                if (!isStillOurs(request, acquired, lock(request), session())) {
                    return new Refused(Optional.empty());
                }
            }
            return outcomeWrite(request, acquired, Optional.ofNullable(outcome), session())
                    .write(session(), OpenTransactionCheck.OWN);
        } catch (SQLException e) {
            throw failures().translate("Settling " + request.identity(), e, Effect.NONE);
        }
    }

    @Override
    public void commit() {
        try (var call = watchdog.startEnd(commitLimit(), transaction())) {
            if (transaction().isReleasedByItsEnd()) {
                releaseLock(session());
            }
            transaction().commit(() -> call.shortenTo(limits.patience()));
            releaseLockOrBreakOff(session());
        } catch (SQLException e) {
            throw failures().notCommitted("Committing", e);
        }
        reportCommit();
        wakeWaiters();
    }

    /** Returns the limit of a commit: what is left of the run where its manager may still do the work's work, as flushing entities. */
    private Duration commitLimit() {
        var patience = limits.patience();
        if (!transaction().isReleasedByItsEnd() || transaction().commitsInPipeline()) {
            return patience;
        }
        var left = limits.maxRun().minusNanos(System.nanoTime() - acquiredAt);
        return left.compareTo(patience) > 0 ? left : patience;
    }

    @Override
    public RecordWriteResponse completeAndCommit(
            ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
        OutcomeWrite settling;
        try {
            settling = outcomeWrite(request, acquired, Optional.ofNullable(outcome), session());
        } catch (SQLException e) {
            throw failures().translate("Settling " + request.identity(), e, Effect.NONE);
        }
        if (transaction().doomed()
                || !transaction().commitsInPipeline()
                || startedOver
                || !settling.fitsOneRoundTrip()) {
            return super.completeAndCommit(request, acquired, outcome);
        }
        boolean asItWas = !frozen() && (work == null || work.isUnmodified());
        var next = asItWas ? queue.next(open()) : null;
        return next == null ? commitAlone(settling) : commitAndHandOn(settling, next);
    }

    private RecordWriteResponse commitAlone(OutcomeWrite settling) {
        try (var call = watchdog.start(limits.patience(), transaction().connection())) {
            settling.writeAndCommit(session());
        } catch (SQLException e) {
            return refusedAsDuplicate(settling, e)
                    .orElseThrow(() -> failures().notCommitted("Settling and committing " + settling.identity(), e));
        }
        try (var call = watchdog.startEnd(limits.patience(), transaction())) {
            transaction().markCommitted();
        }
        reportCommit();
        wakeWaiters();
        return new Written();
    }

    /**
     * Commits and hands the connection on. Any failure in this round trip may have come after our commit, except a duplicate,
     * which is certainly ours and before it.
     */
    private RecordWriteResponse commitAndHandOn(OutcomeWrite settling, ConnectionWaitQueue.Waiter next) {
        try {
            handOn(next, committedFor(next, settling));
            reportCommit();
            wakeWaiters();
            return new Written();
        } catch (SQLException e) {
            queue.giveBack(next);
            return refusedAsDuplicate(settling, e)
                    .orElseThrow(() -> failures().inDoubt("Settling and committing " + settling.identity(), e));
        } catch (RuntimeException | Error e) {
            queue.giveBack(next);
            throw e;
        }
    }

    /** Commits and acquires the next one's lock. The call is over before the connection has another user, whom it must not break off. */
    private TransactionSession committedFor(ConnectionWaitQueue.Waiter next, OutcomeWrite settling)
            throws SQLException {
        try (var call = watchdog.start(limits.patience(), transaction().connection())) {
            endWork();
            return open().handOn(KeyLockResult.lockAfterCommit(settling, session(), next.lockRequest()));
        }
    }

    /**
     * Passes the session to the next caller, to which it belongs from then on. If it is no longer waiting, the session ends here.
     */
    private void handOn(ConnectionWaitQueue.Waiter next, TransactionSession handed) {
        handed.own().leave();
        if (queue.pass(next, handed)) {
            open = null;
        } else {
            handed.own().arrive();
        }
    }

    /** Decides by the stored record whether a duplicate is ours or from a constraint that the work deferred to the commit. */
    private Optional<RecordWriteResponse> refusedAsDuplicate(OutcomeWrite settling, SQLException error) {
        return failures().isDuplicate(error)
                ? findOutsideTransaction(settling.request()).map(there -> new Refused(Optional.of(there)))
                : Optional.empty();
    }

    @Override
    public void close() {
        var last = open;
        if (last == null) {
            return;
        }
        open = null;
        try (var call = watchdog.startEnd(limits.patience(), last.own())) {
            releaseLockOrBreakOff(last.session());
            closeStatements(last);
            last.own().rollbackAndRestore();
        }
        last.own().release();
        wakeWaiters();
    }

    /**
     * Wakes whoever may wait. Whether somebody does is looked up by the notifier, after this transaction and not in it: a lock on the
     * waiters' table must not hold up the work.
     */
    private void wakeWaiters() {
        if (foundRecord() || System.nanoTime() - acquiredAt >= NOBODY_REGISTERED.toNanos()) {
            wakeups.wakeWaiters(toWake);
        }
        toWake = List.of();
    }

    private void closeStatements(TransactionSession last) {
        try {
            endWork();
            last.session().close();
        } catch (SQLException e) {
            // The statements are closed with their connection.
        }
    }

    private void reportCommit() {
        if (work != null) {
            work.committed();
        }
    }

    private void endWork() throws SQLException {
        if (work != null) {
            work.invalidate();
        }
    }

    private TransactionSession open() {
        return Objects.requireNonNull(open, "enter() comes first");
    }

    private SqlSession session() {
        return open().session();
    }

    private DatabaseTransaction transaction() {
        return open().own();
    }
}
