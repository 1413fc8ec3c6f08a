package dev.refrain.store.jdbc;

import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One operation in a transaction of the caller's, who commits it or rolls it back. The work stands behind a savepoint. None
 * of our statements is expected to fail; should one fail nevertheless, everything since {@link #enter} is taken back and the
 * transaction can be used again.
 */
final class JoinedTransaction extends JdbcTransaction {

    /** No number comes twice: a run that goes back to another's savepoint takes back what is not its own, or too little. */
    private static final AtomicLong RUNS = new AtomicLong();

    private final long savepoint = RUNS.incrementAndGet();
    private final Session session;

    JoinedTransaction(Store store, Session session) {
        super(store, session.dialect().failures());
        this.session = session;
    }

    @Override
    public Connection connection() {
        return session.connection();
    }

    @Override
    public ClaimAnswer tryClaim(ClaimRequest request) {
        try {
            return claimAnswer(request, Entered.lockJoined(session, request, savepoint), session);
        } catch (SQLException e) {
            throw failed("Entering the transaction of " + request.identity(), e);
        }
    }

    @Override
    public void rollbackWork() {
        try {
            Settling.rollbackToSavepoint(session, savepoint);
        } catch (SQLException e) {
            throw failures().translate("Taking back the work", e, Effect.NONE);
        }
    }

    @Override
    public WriteAnswer complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
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
            Settling.rollbackToSavepoint(session, savepoint);
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        return failures().translate(doing, error, Effect.NONE);
    }
}
