package dev.refrain.store.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** DataSources that do something of their own. */
final class Sources {

    private Sources() {}

    static DataSource of(Callable<Connection> connections) {
        return (DataSource) Proxy.newProxyInstance(
                Sources.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return connections.call();
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }
}
