package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A connection that hears of commits, on a thread of its own. When it is lost another one is opened, and because nobody knows what was
 * missed meanwhile, everything is told to look.
 */
final class OutboxWakeupListener implements OutboxStore.WakeupSubscription {

    private static final String ANY_TOPIC = "";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** How long a wait for notifications lasts: after it the connection is asked whether it lives. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final int VALID_WITHIN_SECONDS = 2;

    /** A look into shared memory, a few microseconds each. */
    private static final Duration FILE_LOOK = Duration.ofMillis(10);

    /** Hears until the connection fails. */
    @FunctionalInterface
    private interface WakeupSource {
        void listen(Connection connection, Consumer<String> topics) throws SQLException, InterruptedException;
    }

    private final DataSource source;
    private final Consumer<String> topics;
    private final WakeupSource ear;
    private volatile boolean closed;
    private volatile @Nullable Connection current;
    private final Thread thread;

    private OutboxWakeupListener(DataSource source, Consumer<String> topics, WakeupSource ear) {
        this.source = source;
        this.topics = topics;
        this.ear = ear;
        this.thread = Thread.ofVirtual().name("refrain-outbox-listening").unstarted(this::run);
    }

    /** By LISTEN. Behind a pooler in transaction mode nothing is heard. */
    static OutboxWakeupListener byNotify(DataSource source, Consumer<String> topics) {
        return started(new OutboxWakeupListener(source, topics, OutboxWakeupListener::listen));
    }

    /** By the number that the database's file has for its content, which every commit changes. */
    static OutboxWakeupListener byFileVersion(DataSource source, Consumer<String> topics) {
        return started(new OutboxWakeupListener(source, topics, OutboxWakeupListener::watch));
    }

    private static OutboxWakeupListener started(OutboxWakeupListener connection) {
        connection.thread.start();
        return connection;
    }

    private void run() {
        var pause = FIRST_PAUSE;
        while (!closed) {
            try (var connection = source.getConnection()) {
                current = connection;
                connection.setAutoCommit(true);
                pause = FIRST_PAUSE;
                ear.listen(connection, topics);
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

    private static void listen(Connection connection, Consumer<String> topics) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN refrain_staged");
            topics.accept(ANY_TOPIC);
            var notified = connection.unwrap(PGConnection.class);
            while (connection.isValid(VALID_WITHIN_SECONDS)) {
                var notifications = notified.getNotifications((int) WAIT.toMillis());
                while (notifications != null && notifications.length > 0) {
                    for (var notification : notifications) {
                        topics.accept(notification.getParameter());
                    }
                    notifications = notified.getNotifications((int) WAIT.toMillis());
                }
            }
        }
    }

    private static void watch(Connection connection, Consumer<String> topics)
            throws SQLException, InterruptedException {
        try (var version = connection.prepareStatement("PRAGMA data_version")) {
            long seen = -1;
            while (true) {
                long now;
                try (var rows = version.executeQuery()) {
                    rows.next();
                    now = rows.getLong(1);
                }
                if (now != seen) {
                    seen = now;
                    topics.accept(ANY_TOPIC);
                }
                Thread.sleep(FILE_LOOK);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        var open = current;
        if (open != null) {
            try {
                // Whoever waits for a notification does not hear an interrupt.
                open.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                // Then it is closed already.
            }
        }
        try {
            thread.join(WAIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
