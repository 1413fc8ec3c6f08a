package dev.refrain.crash;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/**
 * Kills one instance of an application at a crash point. All effects of the instance go through it: its database by {@link #wrap}, its
 * calls of other systems by {@link #foreignCall}.
 *
 * <p>Safe for use by many threads.
 */
public final class CrashInjector {

    /** Way in which an instance is killed. */
    interface CrashAction {

        /** Kills the instance: nothing may pass a crash point from now on. */
        void at(CrashInjector life);

        /** Stops a thread of the killed instance. */
        default void refuse(String boundary) {
            throw new InstanceKilledError(boundary);
        }
    }

    private final Optional<CrashPoint> fatal;
    private final CrashAction death;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final List<String> passedPoints = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean counting;
    private int timesThere;
    private volatile String end = "";

    private CrashInjector(Optional<CrashPoint> fatal, CrashAction death) {
        this.fatal = fatal;
        this.death = death;
    }

    static CrashInjector crashingAt(CrashPoint fatal, CrashAction death) {
        return new CrashInjector(Optional.of(fatal), death);
    }

    static CrashInjector neverCrashing() {
        return new CrashInjector(Optional.empty(), life -> {});
    }

    /**
     * Returns the same database with a crash point before and after each statement, commit and rollback. Put a pool on top of it, and make
     * a new one for each instance. Connections of the driver that are unwrapped have no crash points.
     */
    public DataSource wrap(DataSource database) {
        return CrashJdbcProxy.source(database, this);
    }

    /**
     * Call of another system that may crash before or after it.
     *
     * @param <T> the reply
     * @param <X> the checked exception that it throws, if any
     */
    @FunctionalInterface
    public interface CrashableCall<T, X extends Exception> {
        T send() throws X;
    }

    /** Makes a call of another system, with a crash point before it is sent and one after its reply. */
    public <T, X extends Exception> T foreignCall(String name, CrashableCall<T, X> call) throws X {
        crashPoint("before sending " + name);
        T reply = call.send();
        crashPoint("after the reply of " + name);
        return reply;
    }

    /** Adds a crash point for effects that are neither JDBC nor calls, such as files. */
    public void crashPoint(String name) {
        lock.lock();
        try {
            requireAlive();
            if (!counting) {
                return;
            }
            passedPoints.add(name);
            if (!isFatal(name)) {
                return;
            }
            end = name;
        } finally {
            lock.unlock();
        }
        death.at(this);
        requireAlive();
    }

    private boolean isFatal(String name) {
        return fatal.filter(boundary -> boundary.name().equals(name) && ++timesThere == boundary.occurrence())
                .isPresent();
    }

    void requireAlive() {
        if (hasCrashed()) {
            death.refuse(end);
        }
    }

    boolean hasCrashed() {
        return !end.isEmpty();
    }

    /** Enables the crash points once the instance has started. */
    void startRecording() {
        setRecording(true);
    }

    /** Disables them once the request has ended, before the instance is closed. */
    void stopRecording() {
        setRecording(false);
    }

    private void setRecording(boolean recording) {
        lock.lock();
        try {
            counting = recording;
        } finally {
            lock.unlock();
        }
    }

    List<CrashPoint> passedPoints() {
        lock.lock();
        try {
            return CrashPoint.of(passedPoints);
        } finally {
            lock.unlock();
        }
    }

    void opened(Connection connection) {
        open.add(connection);
        if (hasCrashed()) {
            cut(connection);
            requireAlive();
        }
    }

    void closed(Connection connection) {
        open.remove(connection);
    }

    /** Aborts the connections, as when a process dies: the database rolls back what was not committed. */
    void cutConnections() {
        open.forEach(CrashInjector::cut);
    }

    /** Aborts a connection; one whose driver cannot is closed. */
    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | LinkageError cannot) {
            // Closed below.
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException gone) {
            // That is what was wanted.
        }
    }
}
