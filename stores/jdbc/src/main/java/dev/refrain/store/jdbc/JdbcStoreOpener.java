package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.StoreOpener;
import java.nio.file.Path;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Opens a {@link JdbcStore} by its URL, with plain connections. An application with a pool gives that to {@link JdbcStore#builder}. Thread-safe. */
public final class JdbcStoreOpener implements StoreOpener {

    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRESQL = "jdbc:postgresql:";

    @Override
    public boolean accepts(String url) {
        return url.startsWith(SQLITE) || url.startsWith(POSTGRESQL) || MysqlDataSource.accepts(url);
    }

    @Override
    public String examples() {
        return "jdbc:postgresql://HOST:PORT/DATABASE, jdbc:sqlite:FILE, jdbc:mariadb://HOST:PORT/DATABASE, jdbc:mysql://HOST:PORT/DATABASE";
    }

    @Override
    public Store open(StoreLocation location) {
        String url = location.url();
        var builder = url.startsWith(SQLITE)
                ? JdbcStore.builder(
                        Path.of(url.substring(SQLITE.length())).toAbsolutePath().normalize())
                : JdbcStore.builder(database(url, location.user(), location.password()));
        return builder.migrate(location.migrate())
                .schema(location.schema())
                .createBrowsingIndex(location.browsed())
                .build();
    }

    private static DataSource database(String url, Optional<String> user, Optional<String> password) {
        if (MysqlDataSource.accepts(url)) {
            return MysqlDataSource.of(url, user.orElse(null), password.orElse(null));
        }
        try {
            return PostgresSource.of(url, user, password);
        } catch (NoClassDefFoundError e) {
            throw StoreException.permanent(
                    "The PostgreSQL driver is not on the class path. Add the dependency org.postgresql:postgresql.",
                    Effect.NONE,
                    e);
        }
    }

    /** Linked only where the driver is there. */
    private static final class PostgresSource {

        static DataSource of(String url, Optional<String> user, Optional<String> password) {
            var source = new PGSimpleDataSource();
            source.setUrl(url);
            user.ifPresent(source::setUser);
            password.ifPresent(source::setPassword);
            return source;
        }
    }
}
