package dev.refrain.store.jdbc.internal.transaction;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The connection that work is given in a transaction of ours. To end the transaction is not the work's to do: a commit by
 * the work would let its writes stand without their outcome, a rollback the outcome without its writes. When the
 * transaction is over, nothing that the work kept reaches the next one. What the work says in SQL (a COMMIT as text) is not
 * looked at.
 */
final class GuardedConnection implements InvocationHandler {

    private static final Set<String> OURS = Set.of("commit", "close", "abort", "setAutoCommit");

    /** What leaves no trace on the connection beyond its transaction. */
    private static final Set<String> TRACELESS = Set.of(
            "createStatement",
            "prepareStatement",
            "prepareCall",
            "createArrayOf",
            "setSavepoint",
            "releaseSavepoint",
            "rollback",
            "nativeSQL",
            "getAutoCommit",
            "isClosed",
            "isValid",
            "isReadOnly",
            "getTransactionIsolation",
            "getSchema",
            "getCatalog",
            "getWarnings",
            "clearWarnings",
            "isWrapperFor");

    private final Connection connection;
    private final Connection proxy;
    private final Queue<Statement> statements = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private volatile boolean isUnmodified = true;

    GuardedConnection(Connection connection) {
        this.connection = connection;
        this.proxy = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** What the work gets. */
    Connection proxy() {
        return proxy;
    }

    /** Whether the connection is as it was before. */
    boolean isUnmodified() {
        return isUnmodified;
    }

    /** From here on the work can do nothing with it. */
    void invalidate() throws SQLException {
        over = true;
        for (var statement : statements) {
            statement.close();
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, name, arguments);
        }
        if (over && Set.of("close", "isClosed").contains(name)) {
            return name.equals("isClosed") ? true : null;
        }
        boolean rollsBackAll = name.equals("rollback") && method.getParameterCount() == 0;
        if (rollsBackAll || OURS.contains(name)) {
            throw new SQLException(
                    name + "() is not the work's to call: Refrain commits when the work returns, together with its"
                            + " outcome, and rolls back when it throws.");
        }
        if (over) {
            throw new SQLException("The transaction of this work is over.");
        }
        if (!TRACELESS.contains(name)) {
            isUnmodified = false;
        }
        var result = call(connection, method, arguments);
        return result instanceof Statement statement ? guarded(statement, method.getReturnType()) : result;
    }

    /** A statement knows its connection, and must not know more of it than the work does. */
    private Object guarded(Statement statement, Class<?> type) {
        statements.removeIf(GuardedConnection::isClosed);
        statements.add(statement);
        return Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        method.getName().equals("getConnection") ? proxy : call(statement, method, arguments));
    }

    private static boolean isClosed(Statement statement) {
        try {
            return statement.isClosed();
        } catch (SQLException e) {
            return false;
        }
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @SuppressWarnings("ReferenceEquality") // that is what equals means here
    private Object ofObject(Object proxy, String name, @Nullable Object @Nullable [] arguments) {
        return switch (name) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "work on " + connection;
        };
    }
}
