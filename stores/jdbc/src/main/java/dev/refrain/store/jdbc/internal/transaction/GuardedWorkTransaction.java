package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Work in a transaction of the application's database that Refrain ends, not the work. */
public final class GuardedWorkTransaction implements AutoCloseable {

    private static final ParameterizedScript<Boolean> BEGIN_WORK = ParameterizedScript.script("begin_work");

    private final TransactionSession open;
    private final SqlErrorTranslator failures;
    private final GuardedConnection work;

    private GuardedWorkTransaction(TransactionSession open, SqlErrorTranslator failures) {
        this.open = open;
        this.failures = failures;
        this.work = new GuardedConnection(open.own().connection());
        open.own().exposeConnection(work.proxy());
    }

    /**
     * Begins a transaction. Where the database has a single write lock, acquires it first, so that the work's own statements do
     * not fail for lack of it.
     */
    public static GuardedWorkTransaction begin(TransactionSession begun, Dialect dialect, JdbcTimeouts timeouts)
            throws SQLException {
        return new GuardedWorkTransaction(
                dialect.hasConcurrentWriters() ? marked(begun) : locked(begun, dialect, timeouts), dialect.failures());
    }

    /** Sets the mark of an open transaction; where there is a single write lock, what takes it does that too. */
    private static TransactionSession marked(TransactionSession begun) throws SQLException {
        try {
            OpenTransactionCheck.mark(begun.session(), OpenTransactionCheck.OWN);
            return begun;
        } catch (SQLException | RuntimeException e) {
            begun.own().rollbackAndRelease();
            throw e;
        }
    }

    private static TransactionSession locked(TransactionSession begun, Dialect dialect, JdbcTimeouts timeouts)
            throws SQLException {
        var open = new TransactionSession[] {begun};
        boolean locked = false;
        try {
            WriteLockRetry.retryWithin(timeouts.lock(), dialect.failures(), () -> {
                try {
                    open[0].session().run(BEGIN_WORK, true, (result, columns) -> {});
                    return true;
                } catch (SQLException e) {
                    open[0] = open[0].startOver();
                    throw e;
                }
            });
            locked = true;
            return open[0];
        } finally {
            if (!locked) {
                open[0].own().rollbackAndRelease();
            }
        }
    }

    /** Returns the connection for the work. */
    public Connection connection() {
        return work.proxy();
    }

    public SqlSession session() {
        return open.session();
    }

    public boolean lostRace(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && failures.isContention(sql)) {
                return true;
            }
        }
        return false;
    }

    /** Requires that the transaction can still commit: neither marked rollback-only nor already rolled back. */
    public void requireCommittable() {
        if (open.own().doomed()) {
            throw StoreException.permanent(
                    "The work returned a result, but a participant marked its transaction rollback-only.",
                    Effect.NONE,
                    null);
        }
        OpenTransactionCheck.require(session(), OpenTransactionCheck.OWN);
    }

    /**
     * Commits.
     *
     * @param doing the action named in an error
     */
    public void commit(String doing) {
        commit(doing, () -> {});
    }

    /** Commits, and reports the moment from which only the COMMIT itself is left, if it is known. */
    void commit(String doing, Runnable workIsOver) {
        try {
            open.own().commit(workIsOver);
        } catch (SQLException e) {
            throw failures.commitFailure(doing, e);
        }
        work.committed();
    }

    /** Returns true if the commit can be sent with the last write, by {@link #commitBy}. */
    public boolean commitsInPipeline() {
        return open.own().commitsInPipeline();
    }

    /**
     * Commits by a script that ends with a COMMIT.
     *
     * @param doing the action named in an error
     * @param script returns whether it committed; otherwise nothing is left to do but to roll back
     */
    public boolean commitBy(String doing, SqlSession.SqlAction<Boolean> script) {
        try {
            if (!script.run()) {
                return false;
            }
        } catch (SQLException e) {
            throw failures.translate(doing, e, Effect.UNKNOWN);
        }
        open.own().markCommitted();
        work.committed();
        return true;
    }

    /** Translates a failure before the commit, which has no effect. */
    public StoreException translate(String doing, SQLException error) {
        return failures.translate(doing, error, Effect.NONE);
    }

    /** Watches the end of the transaction, without a cancellation that could hit the next user of its connection. */
    CallWatchdog.WatchedCall watchEnd(CallWatchdog watchdog, Duration limit) {
        return watchdog.startEnd(limit, open.own());
    }

    /** Returns how long the commit may take: as long as the work where its manager may still do work in it, as flushing entities. */
    Duration commitLimit(TransactionLimits limits) {
        return open.own().isReleasedByItsEnd() && !open.own().commitsInPipeline() ? limits.maxRun() : limits.patience();
    }

    /** Rolls back what was not committed; {@link #release} is left to do. */
    void rollback() {
        try {
            work.invalidate();
            open.session().close();
        } catch (SQLException e) {
            // The statements are closed with their connection.
        }
        open.own().rollbackAndRestore();
    }

    void release() {
        open.own().release();
    }

    @Override
    public void close() {
        rollback();
        release();
    }
}
