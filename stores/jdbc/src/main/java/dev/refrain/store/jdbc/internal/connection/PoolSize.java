package dev.refrain.store.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Finds the size of a pool. */
public final class PoolSize {

    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private PoolSize() {}

    /** Returns the pool size, which is known for HikariCP only, also inside of a wrapper. */
    public static OptionalInt of(DataSource source) {
        var size = own(source);
        if (size.isPresent()) {
            return size;
        }
        try {
            var hikari = Class.forName(HIKARI, false, PoolSize.class.getClassLoader());
            return source.isWrapperFor(hikari) && source.unwrap(hikari) instanceof DataSource inner ? own(inner) : size;
        } catch (ClassNotFoundException | SQLException | RuntimeException unknown) {
            return size;
        }
    }

    private static OptionalInt own(DataSource source) {
        try {
            return source.getClass().getMethod("getMaximumPoolSize").invoke(source) instanceof Integer size
                    ? OptionalInt.of(size)
                    : OptionalInt.empty();
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
            return OptionalInt.empty();
        }
    }
}
