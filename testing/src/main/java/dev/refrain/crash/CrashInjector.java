package dev.refrain.crash;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/**
 * The life of one instance of an application, which ends at a boundary. Everything that the instance does to the world goes through it:
 * its database by {@link #wrap}, its calls of other systems by {@link #foreignCall}.
 *
 * <p>For any number of threads.
 */
public final class CrashInjector {

    /** How a life ends. */
    interface CrashAction {

        /** Nothing may pass any boundary from now on. */
        void at(CrashInjector life);

        /** For whoever tries to go on. */
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
     * The same database, with a boundary before and after each statement, commit and rollback. A pool belongs on top of it, as it would
     * be made anew by a new process. A driver's connection that is unwrapped is beyond its reach.
     */
    public DataSource wrap(DataSource database) {
        return CrashJdbcProxy.source(database, this);
    }

    /** A call of another system, with a boundary before it is sent and one after its reply. */
    public <T> T foreignCall(String name, Callable<T> call) throws Exception {
        crashPoint("before sending " + name);
        T reply = call.call();
        crashPoint("after the reply of " + name);
        return reply;
    }

    /** One more place to crash at, for what is neither JDBC nor a call: between the bytes and the reply, around a file. */
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

    /** The start of an instance is not what is tried. */
    void startRecording() {
        lock.lock();
        try {
            counting = true;
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

    /** As when a process dies: its database hears no more of it and rolls back what was not committed. */
    void cutConnections() {
        open.forEach(CrashInjector::cut);
    }

    /** Not every driver can abort. */
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
