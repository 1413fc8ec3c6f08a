package dev.refrain.cli;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** Stores that the operator commands are tested on. */
enum OperatorTestStore {
    POSTGRESQL(directory -> PostgresServer.shared().freshDatabase()),
    SQLITE(directory -> "jdbc:sqlite:" + directory.resolve("keys.db"));

    private static final String PASSWORD_FILE = "org.postgresql.pgpassfile";

    private final Function<Path, String> fresh;

    OperatorTestStore(Function<Path, String> fresh) {
        this.fresh = fresh;
    }

    /** URL of an empty database. */
    String fresh(Path directory) {
        return fresh.apply(directory);
    }

    /**
     * Returns the URL for commands, which refuse one with a password. The environment of this process cannot be changed; the driver's own file
     * for passwords is another way, until {@link #forgetPassword}.
     */
    static String withoutPassword(String url, Path directory) throws IOException {
        var password = Pattern.compile("password=([^&]*)").matcher(url);
        System.setProperty(
                PASSWORD_FILE,
                Files.writeString(directory.resolve("pgpass"), "*:*:*:*:" + (password.find() ? password.group(1) : ""))
                        .toString());
        return url.replaceFirst("&?password=[^&]*", "");
    }

    static void forgetPassword() {
        System.clearProperty(PASSWORD_FILE);
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
