package dev.refrain.http.servlet;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the application's DataSource so that a transactional handler gets the connection of its own transaction: its writes
 * commit together with the key and the response. On such a connection close does nothing, and commit and rollback are rejected.
 * Outside a handler it delegates to the DataSource.
 */
public final class TransactionalDataSource implements DataSource {

    private final DataSource source;

    private TransactionalDataSource(DataSource source) {
        this.source = source;
    }

    public static TransactionalDataSource over(DataSource source) {
        return new TransactionalDataSource(source);
    }

    @Override
    public Connection getConnection() throws SQLException {
        var bound = ThreadBoundConnection.get();
        return bound.isPresent() ? unclosable(bound.get()) : source.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return source.getConnection(user, password);
    }

    private static Connection unclosable(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                TransactionalDataSource.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    boolean staysOpen = method.getName().equals("close")
                            || (method.getName().equals("setAutoCommit") && Boolean.FALSE.equals(arguments[0]));
                    if (staysOpen) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(source) ? type.cast(source) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(source) || source.isWrapperFor(type);
    }
}
