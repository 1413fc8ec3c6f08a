package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Savepoint before the work of one run in the caller's transaction.
 *
 * <p>Each has a number of its own: a nested run, or one that failed before its savepoint was set, must not roll back to that of
 * another run. It is set in a separate round trip, because SQL text with changing numbers must not be prepared, planned and
 * cached by a driver or a server.
 */
final class RunSavepoint {

    private static final AtomicLong RUNS = new AtomicLong();

    private final long number = RUNS.incrementAndGet();

    void set(SqlSession session) throws SQLException {
        session.execute("SAVEPOINT refrain_work_" + number);
        OpenTransactionCheck.mark(session, number);
    }

    /** Rolls back to the savepoint, which can be used again. */
    void rollBack(SqlSession session) throws SQLException {
        session.execute("ROLLBACK TO SAVEPOINT refrain_work_" + number);
        OpenTransactionCheck.mark(session, number);
    }

    long number() {
        return number;
    }
}
