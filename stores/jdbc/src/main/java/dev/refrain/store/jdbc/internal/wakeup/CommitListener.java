package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Connection that listens for commits, on a thread of its own. A lost connection is reopened, and because notifications may have
 * been missed meanwhile, everything is then reported as changed.
 */
public final class CommitListener implements OutboxStore.WakeupSubscription {

    /** Payload that means: anything may have changed. */
    public static final String ANYTHING = "";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** Silence after which the connection is validated. */
    private static final Duration TRUSTED = Duration.ofSeconds(10);

    /** Duration of one wait for notifications, which an interrupt does not end. */
    private static final Duration WAIT = Duration.ofMillis(500);

    private static final int VALID_WITHIN_SECONDS = 2;

    /** Interval of reading the file version: a look into shared memory of a few microseconds. */
    private static final Duration FILE_LOOK = Duration.ofMillis(10);

    /** Interval of a query: a look at the edge of an index, over the network. */
    private static final Duration TABLE_LOOK = Duration.ofMillis(100);

    /** Waits for notifications until the connection fails. */
    @FunctionalInterface
    private interface WakeupSource {
        void listen(Connection connection, Consumer<String> heard) throws SQLException, InterruptedException;
    }

    private final DataSource source;
    private final Consumer<String> heard;
    private final WakeupSource ear;
    private volatile boolean closed;
    private volatile @Nullable Connection current;
    private final Thread thread;

    private CommitListener(DataSource source, Consumer<String> heard, Function<CommitListener, WakeupSource> earOf) {
        this.source = source;
        this.heard = heard;
        this.ear = earOf.apply(this);
        // The caller that waits first may have a tenant, by which its DataSource chooses.
        this.thread = Thread.ofVirtual()
                .name("refrain-listening")
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    /**
     * Listens by LISTEN. Behind a pooler in transaction mode no notification arrives.
     *
     * @param channel a plain identifier
     * @param heard receives the payload of each notification, and {@link #ANYTHING} each time that listening begins
     */
    public static CommitListener byNotify(DataSource source, String channel, Consumer<String> heard) {
        return started(new CommitListener(
                source, heard, listener -> (connection, each) -> listener.listen(connection, channel, each)));
    }

    /**
     * Watches the version number of the database's file, which every commit changes.
     *
     * @param heard receives {@link #ANYTHING}
     */
    public static CommitListener byFileVersion(DataSource source, Consumer<String> heard) {
        return byQuery(source, "PRAGMA data_version", FILE_LOOK, heard);
    }

    /**
     * Watches a number that a query returns, where nothing notifies.
     *
     * @param heard receives {@link #ANYTHING} whenever it is another number
     */
    public static CommitListener byQuery(DataSource source, String query, Consumer<String> heard) {
        return byQuery(source, query, TABLE_LOOK, heard);
    }

    private static CommitListener byQuery(DataSource source, String query, Duration pause, Consumer<String> heard) {
        return started(new CommitListener(
                source, heard, listener -> (connection, each) -> listener.watch(connection, query, pause, each)));
    }

    private static CommitListener started(CommitListener listener) {
        listener.thread.start();
        return listener;
    }

    private void run() {
        var pause = FIRST_PAUSE;
        while (!closed) {
            try (var connection = source.getConnection()) {
                current = connection;
                boolean cameInAutoCommit = connection.getAutoCommit();
                connection.setAutoCommit(true);
                pause = FIRST_PAUSE;
                listenOn(connection);
                connection.setAutoCommit(cameInAutoCommit);
            } catch (SQLException lost) {
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            } catch (InterruptedException ended) {
                return;
            } finally {
                current = null;
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    /** A connection that failed here failed behind its pool's back: the pool would hand it out again. */
    private void listenOn(Connection connection) throws SQLException, InterruptedException {
        try {
            ear.listen(connection, heard);
        } catch (SQLException lost) {
            connection.abort(Runnable::run);
            throw lost;
        }
    }

    private void listen(Connection connection, String channel, Consumer<String> each) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN " + channel);
            each.accept(ANYTHING);
            var notified = connection.unwrap(PGConnection.class);
            long trustedUntil = System.nanoTime() + TRUSTED.toNanos();
            while (!closed) {
                var notifications = notified.getNotifications((int) WAIT.toMillis());
                if (notifications != null && notifications.length > 0) {
                    for (var notification : notifications) {
                        each.accept(notification.getParameter());
                    }
                    trustedUntil = System.nanoTime() + TRUSTED.toNanos();
                } else if (trustedUntil - System.nanoTime() <= 0) {
                    if (!connection.isValid(VALID_WITHIN_SECONDS)) {
                        throw new SQLException("The listening connection does not answer.");
                    }
                    trustedUntil = System.nanoTime() + TRUSTED.toNanos();
                }
            }
            // Returned to its pool unchanged.
            statement.execute("UNLISTEN " + channel);
        }
    }

    private void watch(Connection connection, String query, Duration pause, Consumer<String> each)
            throws SQLException, InterruptedException {
        try (var version = connection.prepareStatement(query)) {
            long seen = -1;
            while (!closed) {
                long now;
                try (var rows = version.executeQuery()) {
                    rows.next();
                    now = rows.getLong(1);
                }
                if (now != seen) {
                    seen = now;
                    each.accept(ANYTHING);
                }
                Thread.sleep(pause);
            }
        }
    }

    /** Ends listening without waiting for it; the connection is returned within half a second. */
    void endSoon() {
        closed = true;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        var open = current;
        if (open != null) {
            try {
                // A wait for notifications ignores an interrupt.
                open.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                // Already closed.
            }
        }
        try {
            thread.join(TRUSTED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
