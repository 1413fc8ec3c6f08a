package dev.refrain.store.jdbc.internal;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.mysql.MysqlDialect;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.Dialect;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.stream.Collectors;

/** Registry of supported databases. A dialect is never guessed: an unknown database is rejected. */
public final class DialectRegistry {

    private static final List<Dialect> KNOWN = List.of(new PostgresDialect(), new MysqlDialect(), new SqliteDialect());

    private DialectRegistry() {}

    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return KNOWN.stream()
                .filter(d -> d.productNames().contains(product))
                .findFirst()
                .orElseThrow(() -> StoreException.permanent(
                        "The database reports its name as " + product
                                + ", which JdbcStore does not support. It supports " + names() + ".",
                        Effect.NONE,
                        new SQLFeatureNotSupportedException(product)));
    }

    public static Dialect named(String name) {
        return KNOWN.stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("Unknown dialect " + name + ". Use one of " + names() + "."));
    }

    public static List<String> known() {
        return KNOWN.stream().map(Dialect::name).toList();
    }

    private static String names() {
        return KNOWN.stream().map(Dialect::name).collect(Collectors.joining(", "));
    }
}
