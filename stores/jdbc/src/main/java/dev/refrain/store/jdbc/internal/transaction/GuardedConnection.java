package dev.refrain.store.jdbc.internal.transaction;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connection for work in a transaction of ours. The work must not end the transaction: its commit would keep its writes without
 * their outcome, its rollback the outcome without its writes. After the transaction the work's references to it are useless, so
 * that they cannot reach the next one. SQL text (a COMMIT) is not inspected.
 */
final class GuardedConnection implements InvocationHandler {

    private static final Set<String> OURS = Set.of("commit", "close", "abort", "setAutoCommit");

    /** Methods that leave no trace on the connection beyond its transaction. */
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
    private final AtomicInteger callsUnderway = new AtomicInteger();
    private final Queue<Runnable> afterCommit = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private volatile boolean refusing;
    private volatile boolean isUnmodified = true;

    GuardedConnection(Connection connection) {
        this.connection = connection;
        this.proxy = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** Returns the connection for the work. */
    Connection proxy() {
        return proxy;
    }

    /**
     * Runs an action once the transaction of the work has committed.
     *
     * @return false if this is not a connection for work: then somebody else commits
     */
    static boolean runAfterCommit(Connection connection, Runnable action) {
        if (Proxy.isProxyClass(connection.getClass())
                && Proxy.getInvocationHandler(connection) instanceof GuardedConnection work) {
            work.afterCommit.add(action);
            return true;
        }
        return false;
    }

    /** Runs what was to run after the commit. */
    void committed() {
        for (var action = afterCommit.poll(); action != null; action = afterCommit.poll()) {
            action.run();
        }
    }

    /** Returns true if the connection's state is unchanged. */
    boolean isUnmodified() {
        return isUnmodified;
    }

    /** Refuses what the work calls from now on, on the connection and its statements; for another thread, while the work runs. */
    void refuseCalls() {
        refusing = true;
    }

    /**
     * Returns true if, once calls are refused, no statement can follow the one that runs: neither by a call of another thread that has
     * begun, nor on the real connection, which the work may have unwrapped.
     */
    boolean isLastCall() {
        return refusing && isUnmodified && callsUnderway.get() <= 1;
    }

    /** Invalidates the work's connection. */
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
        var result = callForWork(connection, method, arguments);
        if (result instanceof DatabaseMetaData metaData) {
            return withoutConnection(metaData, DatabaseMetaData.class, "getConnection", () -> this.proxy);
        }
        return result instanceof Statement statement ? guarded(statement, method.getReturnType()) : result;
    }

    /** Wraps what leads back to the real connection, or to a statement of it. */
    private static Object withoutConnection(Object target, Class<?> type, String way, Supplier<Object> instead) {
        return Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        method.getName().equals(way) ? instead.get() : call(target, method, arguments));
    }

    /** Wraps a statement, so that the work cannot reach the real connection through it. */
    private Object guarded(Statement statement, Class<?> type) {
        statements.removeIf(GuardedConnection::isClosed);
        statements.add(statement);
        return Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> proxy;
                    case "close", "isClosed", "toString", "hashCode", "equals" -> call(statement, method, arguments);
                    case "unwrap" -> {
                        isUnmodified = false;
                        yield callForWork(statement, method, arguments);
                    }
                    default -> {
                        var result = callForWork(statement, method, arguments);
                        yield result instanceof ResultSet rows
                                ? withoutConnection(rows, ResultSet.class, "getStatement", () -> self)
                                : result;
                    }
                });
    }

    /** Calls unless calls are refused. It is counted before that is looked up, so that no call is overlooked. */
    private @Nullable Object callForWork(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        callsUnderway.incrementAndGet();
        try {
            if (refusing) {
                throw new SQLException(
                        "The operation's maximum run time is over, and the transaction of this work is rolled back. Let this error end the"
                                + " work.");
            }
            return call(target, method, arguments);
        } finally {
            callsUnderway.decrementAndGet();
        }
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
