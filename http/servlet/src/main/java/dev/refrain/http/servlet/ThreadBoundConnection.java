package dev.refrain.http.servlet;

import java.sql.Connection;
import java.util.Optional;

/** The connection of the transaction that this thread's handler runs in. */
final class ThreadBoundConnection implements AutoCloseable {

    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    private ThreadBoundConnection() {}

    static ThreadBoundConnection bind(Connection connection) {
        CURRENT.set(connection);
        return new ThreadBoundConnection();
    }

    static Optional<Connection> get() {
        return Optional.ofNullable(CURRENT.get());
    }

    @Override
    public void close() {
        CURRENT.remove();
    }
}
