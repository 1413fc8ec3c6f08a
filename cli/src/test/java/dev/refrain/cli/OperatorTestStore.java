package dev.refrain.cli;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.function.Function;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** Stores that the operator commands are tested on. */
enum OperatorTestStore {
    POSTGRESQL(directory -> PostgresServer.shared().freshDatabase()),
    SQLITE(directory -> "jdbc:sqlite:" + directory.resolve("keys.db"));

    private final Function<Path, String> fresh;

    OperatorTestStore(Function<Path, String> fresh) {
        this.fresh = fresh;
    }

    /** URL of an empty database. */
    String fresh(Path directory) {
        return fresh.apply(directory);
    }

    static JdbcStore open(String url) {
        return JdbcStore.builder(source(url)).createBrowsingIndex(true).build();
    }

    static DataSource source(String url) {
        if (url.startsWith("jdbc:sqlite:")) {
            var sqlite = new SQLiteDataSource();
            sqlite.setUrl(url);
            return sqlite;
        }
        var postgres = new PGSimpleDataSource();
        postgres.setUrl(url);
        return postgres;
    }
}
