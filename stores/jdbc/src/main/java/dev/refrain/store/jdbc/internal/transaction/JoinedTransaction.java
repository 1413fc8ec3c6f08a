package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One operation in a transaction of the caller's, who commits it or rolls it back. The work stands behind a savepoint. None
 * of our statements is expected to fail; should one fail nevertheless, everything since {@link #tryClaim} is taken back and the
 * transaction can be used again.
 */
public final class JoinedTransaction extends JdbcStoreTransaction {

    /** No number comes twice: a run that goes back to another's savepoint takes back what is not its own, or too little. */
    private static final AtomicLong RUNS = new AtomicLong();

    private final long savepoint = RUNS.incrementAndGet();
    private final SqlSession session;

    public JoinedTransaction(Store store, SqlSession session) {
        super(store, session.dialect().failures());
        this.session = session;
    }

    @Override
    public Connection connection() {
        return session.connection();
    }

    @Override
    public ClaimResponse tryClaim(ClaimRequest request) {
        try {
            return claimAnswer(request, KeyLockResult.lockJoined(session, request, savepoint), session);
        } catch (SQLException e) {
            throw failed("Entering the transaction of " + request.identity(), e);
        }
    }

    @Override
    public void rollbackWork() {
        try {
            OutcomeWrite.rollbackToSavepoint(session, savepoint);
        } catch (SQLException e) {
            throw failures().translate("Taking back the work", e, Effect.NONE);
        }
    }

    @Override
    public WriteResponse complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        try {
            return outcomeWrite(request, acquired, outcome).write(session, savepoint);
        } catch (SQLException e) {
            throw failed("Settling " + request.identity(), e);
        }
    }

    /** That is the caller's to do. */
    @Override
    public void commit() {}

    @Override
    public void close() {
        try {
            session.close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
    }

    private StoreException failed(String doing, SQLException error) {
        try {
            OutcomeWrite.rollbackToSavepoint(session, savepoint);
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        return failures().translate(doing, error, Effect.NONE);
    }
}
