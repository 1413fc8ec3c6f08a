package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.record.ClaimScripts;
import dev.refrain.store.jdbc.internal.record.RecordFinder;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Transaction of one operation inside the caller's, who commits or rolls it back. A savepoint precedes the work. None of our
 * statements is expected to fail; if one does, everything since {@link #tryClaim} is rolled back and the transaction can be used
 * again.
 */
public final class JoinedTransaction extends JdbcStoreTransaction {

    private static final ParameterizedScript<ClaimRequest> NOTED =
            ParameterizedScript.<ClaimRequest>script("noted").include(ClaimScripts.CLAIM, r -> r);

    private final RunSavepoint savepoint = new RunSavepoint();
    private final SqlSession session;
    private final CallWatchdog watchdog;
    private final TransactionLimits limits;

    public JoinedTransaction(
            CommittedRecords committed,
            OperationNameIds operations,
            SqlSession session,
            CallWatchdog watchdog,
            TransactionLimits limits) {
        super(committed, operations, session.dialect().failures());
        this.session = session;
        this.watchdog = watchdog;
        this.limits = limits;
    }

    @Override
    public Connection connection() {
        return session.connection();
    }

    @Override
    public ClaimResponse tryClaim(ClaimRequest request) {
        String doing = "Entering the transaction of " + request.identity();
        try {
            watched(() -> {
                savepoint.set(session);
                return true;
            });
        } catch (SQLException e) {
            throw failures().translate(doing, e, Effect.NONE);
        }
        beginLocking(request, session.dialect());
        try {
            return watched(() -> claimAnswer(request, KeyLockResult.lockJoined(session, request), session));
        } catch (SQLException e) {
            throw failed(doing, e);
        }
    }

    /** More keys may count as noted than were written: what is then read may be old, and only an outcome stays as it is. */
    @Override
    Optional<StoredRecord> ownOutcome(SqlSession inside, ClaimRequest request) throws SQLException {
        boolean noted = !inside.run(NOTED, request, row -> true).isEmpty();
        var record = noted ? RecordFinder.findEvenExpired(inside, request) : Optional.<StoredRecord>empty();
        return isDone(record) ? record : Optional.empty();
    }

    @Override
    public void rollbackWork() {
        try {
            watched(() -> {
                savepoint.rollBack(session);
                return true;
            });
        } catch (SQLException e) {
            throw failures().translate("Rolling back the work", e, Effect.NONE);
        }
    }

    /**
     * Cancels the work's statement, so that the work can be rolled back to the savepoint: the connection is the caller's. Not where that
     * could end the caller's whole transaction; there it is rolled back once the work returns.
     */
    @Override
    public void abort() {
        if (!session.dialect().mayRollBackOnCancel()) {
            watchdog.cancel(session.connection());
        }
    }

    @Override
    public RecordWriteResponse complete(ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
        try {
            // The time of the caller's commit is unknown here, so its waiters poll.
            return watched(() -> outcomeWrite(request, acquired, Optional.ofNullable(outcome), session)
                    .write(session, savepoint.number()));
        } catch (SQLException e) {
            throw failed("Settling " + request.identity(), e);
        }
    }

    /** Does nothing: the caller commits. */
    @Override
    public void commit() {}

    @Override
    public void close() {
        releaseLockOrBreakOff(session);
        try {
            session.close();
        } catch (SQLException e) {
            // The statements are closed with their connection.
        }
    }

    /** Ends a call of ours in time: first by cancelling it, and on a silent network with the caller's connection. */
    private <T> T watched(SqlSession.SqlAction<T> call) throws SQLException {
        if (session.dialect().mayRollBackOnCancel()) {
            return call.run();
        }
        try (var watching = watchdog.start(limits.patience(), session.connection())) {
            return call.run();
        }
    }

    private StoreException failed(String doing, SQLException error) {
        try {
            savepoint.rollBack(session);
        } catch (SQLException e) {
            error.addSuppressed(e);
            if (session.dialect().mayRollBackOnError()) {
                // A deadlock has rolled back the caller's whole transaction: what it wrote from now on would be
                // committed without that.
                session.dialect().abort(session.connection());
            }
        }
        return failures().translate(doing, error, Effect.NONE);
    }
}
