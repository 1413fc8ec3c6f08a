package dev.refrain.http.servlet;

import java.sql.Connection;
import java.util.Optional;

/** Connection of the transaction in which the current thread's handler runs. */
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
