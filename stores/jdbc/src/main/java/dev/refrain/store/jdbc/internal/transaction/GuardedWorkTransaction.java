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
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionStarter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Work in a transaction of the application's database that Refrain ends, not the work. Each of our own calls in it ends within its patience: the
 * wait for the connection, a statement, the commit, the rollback.
 */
public final class GuardedWorkTransaction implements AutoCloseable {

    private static final ParameterizedScript<Boolean> BEGIN_WORK = ParameterizedScript.script("begin_work");

    /** Begins work in a transaction of its own. */
    @FunctionalInterface
    public interface Starter {
        GuardedWorkTransaction begin(TransactionLimits limits) throws SQLException;
    }

    private final TransactionSession open;
    private final SqlErrorTranslator failures;
    private final GuardedConnection work;
    private final CallWatchdog watchdog;
    private final TransactionLimits limits;
    private final WorkOnThread onThread;

    private GuardedWorkTransaction(
            TransactionSession open, SqlErrorTranslator failures, CallWatchdog watchdog, TransactionLimits limits) {
        this.open = open;
        this.failures = failures;
        this.watchdog = watchdog;
        this.limits = limits;
        this.work = new GuardedConnection(open.own().connection());
        open.own().exposeConnection(work.proxy());
        this.onThread = WorkOnThread.enter();
    }

    /**
     * Begins a transaction. Where the database has a single write lock, acquires it first, so that the work's own statements do
     * not fail for lack of it.
     */
    public static GuardedWorkTransaction begin(
            TransactionStarter pool,
            Dialect dialect,
            JdbcTimeouts timeouts,
            CallWatchdog watchdog,
            TransactionLimits limits)
            throws SQLException {
        try (var call = watchdog.start(limits.patience(), null)) {
            var begun = pool.begin();
            var open = dialect.hasConcurrentWriters() ? marked(begun, call) : locked(begun, dialect, timeouts);
            return new GuardedWorkTransaction(open, dialect.failures(), watchdog, limits);
        }
    }

    /** Sets the mark of an open transaction; where there is a single write lock, what takes it does that too. */
    private static TransactionSession marked(TransactionSession begun, CallWatchdog.WatchedCall call)
            throws SQLException {
        try {
            call.attach(begun.own().connection());
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
        return isCausedBy(failure, failures::isContention);
    }

    /** Returns true if work failed because its connection was lost. */
    public boolean lostConnection(Throwable failure) {
        return isCausedBy(failure, failures::isSessionLost);
    }

    private static boolean isCausedBy(Throwable failure, Predicate<SQLException> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && kind.test(sql)) {
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

    /** Runs statements of ours in the transaction. */
    public <T> T run(SqlSession.SqlAction<T> statements) throws SQLException {
        try (var call = watchdog.start(limits.patience(), open.own().connection())) {
            return statements.run();
        }
    }

    /**
     * Commits.
     *
     * @param doing the action named in an error
     */
    public void commit(String doing) {
        try (var call = watchdog.startEnd(commitLimit(), open.own())) {
            open.own().commit(() -> call.shortenTo(limits.patience()));
        } catch (SQLException e) {
            throw failures.commitFailure(doing, e);
        }
        work.committed();
    }

    /** Returns how long the commit may take: as long as the work where its manager may still do work in it, as flushing entities. */
    private Duration commitLimit() {
        return open.own().isReleasedByItsEnd() && !open.own().commitsInPipeline() ? limits.maxRun() : limits.patience();
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
            if (!run(script)) {
                return false;
            }
        } catch (SQLException e) {
            throw failures.translate(doing, e, Effect.UNKNOWN);
        }
        try (var call = watchdog.startEnd(limits.patience(), open.own())) {
            open.own().markCommitted();
        }
        work.committed();
        return true;
    }

    /** Translates a failure before the commit, which has no effect. */
    public StoreException translate(String doing, SQLException error) {
        return failures.translate(doing, error, Effect.NONE);
    }

    /** Rolls back what was not committed and gives the connection back. */
    @Override
    public void close() {
        onThread.close();
        try (var call = watchdog.startEnd(limits.patience(), open.own())) {
            closeStatements();
            open.own().rollbackAndRestore();
        }
        open.own().release();
    }

    private void closeStatements() {
        try {
            work.invalidate();
            open.session().close();
        } catch (SQLException e) {
            // The statements are closed with their connection.
        }
    }
}
