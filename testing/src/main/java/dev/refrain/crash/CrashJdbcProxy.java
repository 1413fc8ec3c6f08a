package dev.refrain.crash;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Proxies of a driver's objects, with crash points around everything that reaches the database. */
final class CrashJdbcProxy {

    /** Methods that a killed instance may still call on its connection, without effect. */
    private static final Set<String> LAST_STEPS = Set.of("close", "abort");

    private CrashJdbcProxy() {}

    static DataSource source(DataSource real, CrashInjector life) {
        return proxy(DataSource.class, real, (self, method, arguments) -> {
            // A pool that is closed after the kill still reads settings; an error would leave its threads behind.
            if (method.getName().contains("Connection")) {
                life.requireAlive();
            }
            var result = call(real, method, arguments);
            return result instanceof Connection connection ? connection(connection, life) : result;
        });
    }

    private static Connection connection(Connection real, CrashInjector life) {
        life.opened(real);
        return proxy(Connection.class, real, new ConnectionHandler(real, life));
    }

    /** Connection that names its commits after the statements of the transaction. */
    private static final class ConnectionHandler implements InvocationHandler {

        private final Connection real;
        private final CrashInjector life;
        private final List<String> statements = new ArrayList<>();

        ConnectionHandler(Connection real, CrashInjector life) {
            this.real = real;
            this.life = life;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            String name = method.getName();
            if (life.hasCrashed() && LAST_STEPS.contains(name)) {
                return null;
            }
            if (life.hasCrashed() && name.equals("isClosed")) {
                return true;
            }
            life.requireAlive();
            if (name.equals("close")) {
                life.closed(real);
            }
            if (name.equals("commit") || commitsByTheWay(name, arguments)) {
                return ended("COMMIT", method, arguments);
            }
            if (name.equals("rollback") && method.getParameterCount() == 0) {
                return ended("ROLLBACK", method, arguments);
            }
            var result = call(real, method, arguments);
            if (result instanceof Statement statement) {
                return statement((Connection) self, statement, method.getReturnType(), sqlOf(arguments));
            }
            return result;
        }

        private boolean commitsByTheWay(String name, @Nullable Object @Nullable [] arguments) throws Exception {
            return name.equals("setAutoCommit")
                    && arguments != null
                    && Boolean.TRUE.equals(arguments[0])
                    && !real.getAutoCommit();
        }

        /** Makes a crash point of a commit or rollback, unless the transaction did nothing. */
        private @Nullable Object ended(String how, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (statements.isEmpty()) {
                return call(real, method, arguments);
            }
            String what = how + " of " + String.join(", ", statements);
            statements.clear();
            return around(life, what, () -> call(real, method, arguments));
        }

        private Object statement(Connection self, Statement statement, Class<?> type, String prepared) {
            return proxy(type, statement, (proxy, method, arguments) -> {
                String name = method.getName();
                if (life.hasCrashed() && name.equals("close")) {
                    return null;
                }
                life.requireAlive();
                if (name.equals("getConnection")) {
                    return self;
                }
                if (!name.startsWith("execute")) {
                    return call(statement, method, arguments);
                }
                var text = new SqlStatementLabel(prepared.isEmpty() ? sqlOf(arguments) : prepared);
                if (text.isSetting()) {
                    return call(statement, method, arguments);
                }
                String sql = text.shortened();
                var result = around(life, sql, () -> call(statement, method, arguments));
                if (!real.getAutoCommit()) {
                    statements.add(SqlStatementLabel.target(sql));
                }
                return result;
            });
        }
    }

    private static String sqlOf(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
    }

    /** Runs a call between two crash points; one that throws has only the first. */
    private static @Nullable Object around(CrashInjector life, String what, Step step) throws Throwable {
        life.crashPoint("before " + what);
        var result = step.run();
        life.crashPoint("after " + what);
        return result;
    }

    @FunctionalInterface
    private interface Step {
        @Nullable
        Object run() throws Throwable;
    }

    @SuppressWarnings("ReferenceEquality") // that is what equals means here
    private static <T> T proxy(Class<T> type, Object real, InvocationHandler handler) {
        InvocationHandler whole = (self, method, arguments) -> {
            if (method.getDeclaringClass() != Object.class) {
                return handler.invoke(self, method, arguments);
            }
            return switch (method.getName()) {
                case "equals" -> arguments != null && self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                default -> "mortal " + real;
            };
        };
        return type.cast(Proxy.newProxyInstance(CrashJdbcProxy.class.getClassLoader(), new Class<?>[] {type}, whole));
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
