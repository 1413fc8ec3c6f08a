package dev.refrain.store.jdbc.internal.connection;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.TableLockedException;
import dev.refrain.store.jdbc.internal.sql.WriteLockRetry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connection for one kind of traffic, held from the start so that callers that exhaust the application's pool cannot starve it.
 * Reopened after a failure.
 *
 * <p>Thread-safe, for one call at a time; the batcher sends one batch at a time anyway.
 */
public final class DedicatedConnection implements AutoCloseable {

    /** Work on a dedicated connection. */
    @FunctionalInterface
    public interface SqlTask<T> {
        T run(SqlSession session) throws SQLException;
    }

    /** Idle time after which a connection is validated before use, since a dead one would look like a lost reply. */
    private static final Duration TRUSTED_WHEN_IDLE = Duration.ofSeconds(5);

    private static final int VALID_WITHIN_SECONDS = 2;

    /** Call on this connection without a reply yet. */
    private record RoundTrip(Connection connection, long begun) {}

    private final DataSource source;

    /** That of the application's start: drivers and pools look for classes in it. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final LongSupplier nanoTime;
    private final AtomicInteger losses;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable SqlSession session;
    private boolean cameInAutoCommit;
    private int isolationItCameWith;
    private List<String> toRestore = List.of();
    private volatile @Nullable RoundTrip underWay;
    private volatile boolean held;
    private long usedAt;
    private int lossesKnown;
    private boolean closed;

    /**
     * Creates the connection, without opening it.
     *
     * @param losses how many connections all dedicated connections have lost together: if one is lost, the others may be dead too
     */
    public DedicatedConnection(
            DataSource source,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts,
            LongSupplier nanoTime,
            AtomicInteger losses) {
        this.source = source;
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
        this.losses = losses;
    }

    /** Reads. Readers wait for no row, so what keeps one waiting is a lock on a whole table. */
    public <T> T read(String doing, SqlTask<T> task) {
        return run(doing, Effect.NONE, session -> {
            try {
                return task.run(session);
            } catch (SQLException e) {
                throw failures().classify(e) == SqlErrorTranslator.SqlErrorKind.LOCKED
                        ? new TableLockedException(e)
                        : e;
            }
        });
    }

    public <T> T write(String doing, SqlTask<T> task) {
        return run(doing, Effect.UNKNOWN, task);
    }

    /** Opens the connection that is held. */
    public void open() throws SQLException {
        lock.lock();
        try {
            session();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if a connection is held now. */
    public boolean isHeld() {
        return held;
    }

    private <T> T run(String doing, Effect ifLost, SqlTask<T> task) {
        lock.lock();
        try {
            return run(doing, ifLost, task, reached(doing));
        } finally {
            usedAt = nanoTime.getAsLong();
            lock.unlock();
        }
    }

    /**
     * Restores the connection's settings before returning it: its next user expects its own isolation level, and not every pool
     * resets that.
     */
    private void giveBack() {
        var open = session;
        if (open == null) {
            return;
        }
        var connection = open.connection();
        underWay = new RoundTrip(connection, nanoTime.getAsLong());
        try {
            for (String setting : toRestore) {
                open.execute(setting);
            }
            if (scripts.dialect().dedicatedConnectionIsolation() != isolationItCameWith) {
                connection.setTransactionIsolation(isolationItCameWith);
            }
            connection.setAutoCommit(cameInAutoCommit);
        } catch (SQLException e) {
            scripts.dialect().abort(connection);
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
                breakOff();
            }
            throw failures().translate(doing, e, ifLost);
        } finally {
            underWay = null;
        }
    }

    /**
     * Aborts a call that started before this moment. Called by any thread; the thread that waits for the reply gets an error.
     */
    public void abortIfStartedBefore(long moment) {
        var trip = underWay;
        if (trip != null && trip.begun() - moment < 0) {
            try {
                trip.connection().abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                // Already closed, and its reader knows.
            }
        }
    }

    /** Opens a session. Nothing has been sent yet, so a failure has no effect. */
    private SqlSession reached(String doing) {
        if (closed) {
            throw StoreException.permanent(doing + ": this store is closed.", Effect.NONE, new IllegalStateException());
        }
        try {
            return session();
        } catch (SQLException e) {
            breakOff();
            throw failures().classify(e) == SqlErrorTranslator.SqlErrorKind.REFUSED
                    ? failures().translate("Connecting for: " + doing, e, Effect.NONE)
                    : StoreException.unavailable(doing + ": no connection to the database.", Effect.NONE, e);
        }
    }

    private SqlSession session() throws SQLException {
        if (session != null && doubtful()) {
            if (!session.connection().isValid(VALID_WITHIN_SECONDS)) {
                breakOff();
            } else if (!toRestore.isEmpty()) {
                // MariaDB's driver may have connected to the next of several hosts to say so, and the session there is
                // new.
                applySettings(session);
            }
        }
        lossesKnown = losses.get();
        if (session == null) {
            session = connect();
            held = true;
            usedAt = nanoTime.getAsLong();
        }
        return session;
    }

    private void applySettings(SqlSession to) throws SQLException {
        for (String setting : scripts.dialect().dedicatedConnectionSettings(timeouts)) {
            to.execute(setting);
        }
    }

    private boolean doubtful() {
        return losses.get() != lossesKnown || nanoTime.getAsLong() - usedAt > TRUSTED_WHEN_IDLE.toNanos();
    }

    private SqlSession connect() throws SQLException {
        Connection connection = borrow(source, loader);
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
            toRestore = scripts.dialect().dedicatedSettingsToRestore(connection);
            applySettings(opened);
            return opened;
        } catch (SQLException e) {
            scripts.dialect().abort(connection);
            close(connection, e);
            throw e;
        } finally {
            underWay = null;
        }
    }

    /**
     * Borrows on a thread that inherits nothing from the caller. A pool that chooses by thread (a tenant's database, a role) therefore gives
     * the same after a failure as at the start, whoever calls first then: the keys of all callers are in one place.
     *
     * @param loader the context class loader of that thread: drivers and pools look for classes in it
     */
    public static Connection borrow(DataSource source, @Nullable ClassLoader loader) throws SQLException {
        boolean interruptedBefore = Thread.interrupted();
        try {
            var thread = Thread.ofPlatform()
                    .name("refrain-borrow-dedicated")
                    .daemon()
                    .inheritInheritableThreadLocals(false);
            return BorrowThread.await(
                    thread,
                    () -> {
                        Thread.currentThread().setContextClassLoader(loader);
                        return source.getConnection();
                    },
                    BorrowThread::returnToPool);
        } finally {
            if (interruptedBefore) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private SqlErrorTranslator failures() {
        return scripts.dialect().failures();
    }

    /** Discards a connection after an error. Even if it still works, its session has our settings: no pool must give it to anybody else. */
    private void breakOff() {
        if (session != null) {
            scripts.dialect().abort(session.connection());
        }
        discard();
    }

    private void discard() {
        if (session != null) {
            close(session.connection(), new SQLException("discarded"));
            session = null;
            held = false;
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
