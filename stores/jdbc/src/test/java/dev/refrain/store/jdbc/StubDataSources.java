package dev.refrain.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** DataSources that do something of their own. */
final class StubDataSources {

    private StubDataSources() {}

    static DataSource of(Callable<Connection> connections) {
        return (DataSource) Proxy.newProxyInstance(
                StubDataSources.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return connections.call();
                    }
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }

    /** A pool of one connection, which it gives to the next as the last one left it; some real ones do that too. */
    static DataSource unreset(Connection one) {
        return of(() -> (Connection) Proxy.newProxyInstance(
                StubDataSources.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(one, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
