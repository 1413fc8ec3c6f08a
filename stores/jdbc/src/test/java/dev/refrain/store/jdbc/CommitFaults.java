package dev.refrain.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Connections whose commits fail with a conflict, as those of Galera and Group Replication may: after they have committed, or without. */
final class CommitFaults {

    private static final int CONFLICT = 1213;

    private final boolean committed;
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    /**
     * Creates it.
     *
     * @param committed whether a commit that fails has taken effect
     */
    CommitFaults(boolean committed) {
        this.committed = committed;
    }

    /** Lets the next commits fail. */
    void failNext(int commits) {
        left.set(commits);
    }

    /** Returns how many have failed. */
    int failed() {
        return failed.get();
    }

    DataSource of(DataSource source) {
        return StubDataSources.of(() -> {
            var connection = source.getConnection();
            return proxy(Connection.class, (self, method, arguments) -> switch (method.getName()) {
                case "createStatement" -> statement((Statement) call(connection, method, arguments), connection);
                case "commit" -> {
                    failIfDue(connection);
                    yield call(connection, method, arguments);
                }
                default -> call(connection, method, arguments);
            });
        });
    }

    private Statement statement(Statement statement, Connection connection) {
        return proxy(Statement.class, (self, method, arguments) -> {
            if (method.getName().equals("execute") && "COMMIT".equals(arguments[0])) {
                failIfDue(connection);
            }
            return call(statement, method, arguments);
        });
    }

    private void failIfDue(Connection connection) throws SQLException {
        if (left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            try (var end = connection.createStatement()) {
                end.execute(committed ? "COMMIT" : "ROLLBACK");
            }
            failed.incrementAndGet();
            throw new SQLException("Deadlock found when trying to get lock", "40001", CONFLICT);
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(CommitFaults.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
