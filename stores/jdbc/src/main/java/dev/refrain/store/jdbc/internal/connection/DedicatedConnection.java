package dev.refrain.store.jdbc.internal.connection;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection for one kind of traffic, held from the start on where callers who exhaust the application's pool must not
 * starve it. Opened anew after a failure.
 *
 * <p>Safe for use by many threads, one at a time; the batcher in front sends one batch at a time anyway.
 */
public final class DedicatedConnection implements AutoCloseable {

    /** For how long a lane keeps its connection. */
    public enum ConnectionLifetime {
        ALWAYS,
        WHILE_IN_USE
    }

    /** What is done on a lane. */
    @FunctionalInterface
    public interface SqlTask<T> {
        T run(SqlSession session) throws SQLException;
    }

    /**
     * A connection that was idle for longer is asked whether it still lives: its death would look like a lost reply.
     */
    private static final Duration TRUSTED_WHEN_IDLE = Duration.ofSeconds(5);

    private static final int VALID_WITHIN_SECONDS = 2;

    /** Something asked on this connection, and not answered yet. */
    private record RoundTrip(Connection connection, long begun) {}

    private final ConnectionLifetime holding;
    private final DataSource source;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final LongSupplier nanoTime;
    private final AtomicInteger losses;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable SqlSession session;
    private boolean cameInAutoCommit;
    private int isolationItCameWith;
    private volatile @Nullable RoundTrip underWay;
    private long usedAt;
    private int lossesKnown;
    private boolean closed;

    /**
     * @param losses how many connections were lost, by all lanes together: where one was, the others may be dead too
     */
    public DedicatedConnection(
            ConnectionLifetime holding,
            DataSource source,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts,
            LongSupplier nanoTime,
            AtomicInteger losses) {
        this.holding = holding;
        this.source = source;
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
        this.losses = losses;
    }

    public <T> T read(String doing, SqlTask<T> task) {
        return run(doing, Effect.NONE, task);
    }

    public <T> T write(String doing, SqlTask<T> task) {
        return run(doing, Effect.UNKNOWN, task);
    }

    /** Takes the connection that this lane will hold. */
    public void open() throws SQLException {
        lock.lock();
        try {
            session();
        } finally {
            lock.unlock();
        }
    }

    private <T> T run(String doing, Effect ifLost, SqlTask<T> task) {
        lock.lock();
        try {
            return run(doing, ifLost, task, reached(doing));
        } finally {
            usedAt = nanoTime.getAsLong();
            releaseIfIdle();
            lock.unlock();
        }
    }

    /** Gives the connection back, unless it is held for good. */
    public void releaseIfIdle() {
        lock.lock();
        try {
            if (holding == ConnectionLifetime.WHILE_IN_USE) {
                giveBack();
            }
        } finally {
            lock.unlock();
        }
    }

    /** As it came: whoever gets it next expects its own isolation level, and not every pool sees to that. */
    private void giveBack() {
        var open = session;
        if (open == null) {
            return;
        }
        var connection = open.connection();
        underWay = new RoundTrip(connection, nanoTime.getAsLong());
        try {
            if (scripts.dialect().dedicatedConnectionIsolation() != isolationItCameWith) {
                connection.setTransactionIsolation(isolationItCameWith);
            }
            connection.setAutoCommit(cameInAutoCommit);
        } catch (SQLException e) {
            // Then it is broken, and nobody gets it.
        } finally {
            underWay = null;
        }
        discard();
    }

    private <T> T run(String doing, Effect ifLost, SqlTask<T> task, SqlSession reached) {
        underWay = new RoundTrip(reached.connection(), nanoTime.getAsLong());
        try {
            return scripts.dialect().hasConcurrentWriters()
                    ? task.run(reached)
                    : WriteLockRetry.retryWithin(timeouts.statement(), failures(), () -> task.run(reached));
        } catch (SQLException e) {
            if (!failures().keepsConnectionUsable(e)) {
                losses.incrementAndGet();
                discard();
            }
            throw failures().translate(doing, e, ifLost);
        } finally {
            underWay = null;
        }
    }

    /** Called by any thread: whoever waits for the reply hears that the connection is gone. */
    public void abortIfStartedBefore(long moment) {
        var trip = underWay;
        if (trip != null && trip.begun() - moment < 0) {
            try {
                trip.connection().abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                // Then it is closed already, and its reader knows.
            }
        }
    }

    /** Nothing has been sent yet, so nothing can have happened, whatever the error. */
    private SqlSession reached(String doing) {
        if (closed) {
            throw StoreException.permanent(doing + ": this store is closed.", Effect.NONE, new IllegalStateException());
        }
        try {
            return session();
        } catch (SQLException e) {
            discard();
            throw failures().classify(e) == SqlErrorTranslator.SqlErrorKind.REFUSED
                    ? failures().translate("Connecting for: " + doing, e, Effect.NONE)
                    : StoreException.unavailable(doing + ": the database gives no connection.", Effect.NONE, e);
        }
    }

    private SqlSession session() throws SQLException {
        if (session != null && doubtful() && !session.connection().isValid(VALID_WITHIN_SECONDS)) {
            discard();
        }
        lossesKnown = losses.get();
        if (session == null) {
            session = connect();
            usedAt = nanoTime.getAsLong();
        }
        return session;
    }

    private boolean doubtful() {
        return losses.get() != lossesKnown || nanoTime.getAsLong() - usedAt > TRUSTED_WHEN_IDLE.toNanos();
    }

    private SqlSession connect() throws SQLException {
        Connection connection = source.getConnection();
        underWay = new RoundTrip(connection, nanoTime.getAsLong());
        try {
            cameInAutoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            isolationItCameWith = connection.getTransactionIsolation();
            if (isolationItCameWith != scripts.dialect().dedicatedConnectionIsolation()) {
                connection.setTransactionIsolation(scripts.dialect().dedicatedConnectionIsolation());
            }
            var opened = new SqlSession(
                    connection,
                    scripts,
                    scripts.dialect().roundTripPrefix(timeouts),
                    () -> underWay = new RoundTrip(connection, nanoTime.getAsLong()));
            for (String setting : scripts.dialect().dedicatedConnectionSettings(timeouts)) {
                opened.execute(setting);
            }
            return opened;
        } catch (SQLException e) {
            close(connection, e);
            throw e;
        } finally {
            underWay = null;
        }
    }

    private SqlErrorTranslator failures() {
        return scripts.dialect().failures();
    }

    private void discard() {
        if (session != null) {
            close(session.connection(), new SQLException("discarded"));
            session = null;
        }
    }

    private static void close(Connection connection, SQLException because) {
        try {
            connection.close();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            giveBack();
        } finally {
            lock.unlock();
        }
    }
}
