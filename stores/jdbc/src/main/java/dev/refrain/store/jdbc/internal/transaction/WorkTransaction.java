package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import dev.refrain.store.jdbc.internal.transaction.ConnectionHandoverQueue.TransactionSession;
import java.sql.Connection;
import java.sql.SQLException;

/** Work in a transaction of the application's database that is ended by us and not by the work. */
public final class WorkTransaction implements AutoCloseable {

    private static final ParameterizedScript<Boolean> BEGIN_WORK = ParameterizedScript.script("begin_work");

    private final TransactionSession passage;
    private final SqlErrorTranslator failures;
    private final GuardedConnection work;

    private WorkTransaction(TransactionSession passage, SqlErrorTranslator failures) {
        this.passage = passage;
        this.failures = failures;
        this.work = new GuardedConnection(passage.own().connection());
        passage.own().exposeConnection(work.proxy());
    }

    /** Where there is one write lock for all, it is taken first, so that the work's own statements do not fail for want of it. */
    public static WorkTransaction begin(TransactionSession begun, Dialect dialect, JdbcTimeouts timeouts)
            throws SQLException {
        return new WorkTransaction(
                dialect.hasConcurrentWriters() ? begun : locked(begun, dialect, timeouts), dialect.failures());
    }

    private static TransactionSession locked(TransactionSession begun, Dialect dialect, JdbcTimeouts timeouts)
            throws SQLException {
        var passage = new TransactionSession[] {begun};
        boolean locked = false;
        try {
            WriteLockRetry.retryWithin(timeouts.lock(), dialect.failures(), () -> {
                try {
                    passage[0].session().run(BEGIN_WORK, true, (result, columns) -> {});
                    return true;
                } catch (SQLException e) {
                    passage[0] = passage[0].startOver();
                    throw e;
                }
            });
            locked = true;
            return passage[0];
        } finally {
            if (!locked) {
                passage[0].own().rollbackAndRelease();
            }
        }
    }

    /** What the work gets. */
    public Connection connection() {
        return work.proxy();
    }

    public SqlSession session() {
        return passage.session();
    }

    public boolean lostRace(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && failures.isContention(sql)) {
                return true;
            }
        }
        return false;
    }

    /** Refuses to go on with a transaction that can only be rolled back, or was. */
    public void requireCommittable() {
        if (passage.own().doomed()) {
            throw StoreException.permanent(
                    "The work gave a result, but something that took part in its transaction had marked it to be rolled back.",
                    Effect.NONE,
                    null);
        }
        OpenTransactionCheck.require(session(), OpenTransactionCheck.OWN);
    }

    /** @param doing what failed, if it fails */
    public void commit(String doing) {
        try {
            passage.own().commit();
        } catch (SQLException e) {
            throw failures.translate(doing, e, Effect.UNKNOWN);
        }
    }

    /** A failure before the commit: nothing is left of it. */
    public StoreException translate(String doing, SQLException error) {
        return failures.translate(doing, error, Effect.NONE);
    }

    @Override
    public void close() {
        try {
            work.invalidate();
            passage.session().close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        passage.own().rollbackAndRelease();
    }
}
