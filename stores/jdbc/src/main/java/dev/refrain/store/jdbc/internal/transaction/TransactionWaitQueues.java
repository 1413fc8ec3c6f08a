package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.Rules;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionSession;
import dev.refrain.store.jdbc.spi.TransactionSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** Creates the queues in which transactions wait for connections: our own ones, and those that something else manages. */
public final class TransactionWaitQueues {

    private static final String NO_LIMITS = "";

    /**
     * Time after which the pool is probed before a transaction that can begin on the caller's thread only, with a connection that it borrows
     * itself. A pool that has just given a
     * connection is not probed: under load that would take each connection twice.
     */
    private static final Duration PROBED_AFTER = Duration.ofMillis(100);

    /**
     * Handling of callers that wait for the connections of a DataSource.
     *
     * @param queues whether they queue in front of it
     * @param alike whether a connection may be used by another thread than the one that borrowed it
     * @param anyThread whether another thread than the caller's may borrow: the DataSource does not choose by thread
     * @param longestWait how long a caller queues before it goes to the DataSource by itself
     */
    public record Handling(boolean queues, boolean alike, boolean anyThread, Duration longestWait) {}

    private final DataSource application;
    private final Handling handling;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final LongSupplier nanoTime;
    private final AtomicLong lastBegun;

    public TransactionWaitQueues(
            DataSource application,
            Handling handling,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts,
            LongSupplier nanoTime) {
        this.application = application;
        this.handling = handling;
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
        this.lastBegun = new AtomicLong(nanoTime.getAsLong() - PROBED_AFTER.toNanos());
    }

    /** Returns the application's DataSource. */
    public DataSource dataSource() {
        return application;
    }

    public ConnectionWaitQueue toPool() {
        return new ConnectionWaitQueue(
                new Rules(handling::queues, this::handsOn, handling.longestWait()),
                borrowsOnAnyThread() ? () -> InterruptibleBorrow.begin(this::fromPool) : this::fromPool,
                nanoTime);
    }

    public ConnectionWaitQueue to(TransactionSource source) {
        return new ConnectionWaitQueue(
                new Rules(
                        () -> handling.queues() && !source.isInTransaction(),
                        () -> handsOn() && source.acceptsMovedTransaction(),
                        handling.longestWait()),
                () -> managed(source),
                nanoTime);
    }

    private TransactionSession fromPool() throws SQLException {
        return begun(PooledTransaction.begin(application.getConnection(), scripts.dialect(), timeouts));
    }

    private TransactionSession managed(TransactionSource source) throws SQLException {
        if (!borrowsOnAnyThread()) {
            return startManaged(source::begin);
        }
        if (source.canBeginOnAnotherThread()) {
            return InterruptibleBorrow.begin(() -> startManaged(source::begin));
        }
        if (source.usesBorrower()) {
            return startManaged(() -> source.begin(InterruptibleBorrow::connection));
        }
        if (nanoTime.getAsLong() - lastBegun.get() >= PROBED_AFTER.toNanos()) {
            InterruptibleBorrow.probe(application);
        }
        var session = startManaged(source::begin);
        lastBegun.set(session.borrowed());
        return session;
    }

    private TransactionSession startManaged(ManagedTransaction.ExternalStarter starter) throws SQLException {
        return begun(ManagedTransaction.begin(starter, scripts.dialect()));
    }

    /** Returns true if every wait for a connection of such a transaction can be ended in time, whatever the pool does meanwhile. */
    public boolean endsWaitsOf(TransactionSource source) {
        return !scripts.dialect().hasConcurrentWriters()
                || (handling.anyThread() && (source.canBeginOnAnotherThread() || source.usesBorrower()));
    }

    /** A database without a network answers or fails at once. */
    private boolean borrowsOnAnyThread() {
        return handling.anyThread() && scripts.dialect().hasConcurrentWriters();
    }

    private boolean handsOn() {
        return handling.alike() && scripts.dialect().commitsInPipeline();
    }

    private TransactionSession begun(DatabaseTransaction own) {
        return TransactionSession.fromPool(
                own, new SqlSession(own.connection(), scripts, NO_LIMITS), nanoTime.getAsLong());
    }
}
