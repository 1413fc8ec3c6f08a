package dev.refrain.trials.kills;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;

/** Database that all processes of a trial share. */
record TrialDatabase(String url) {

    private static final String SQLITE = "jdbc:sqlite:";

    /** Connections: five for the store itself, the others for the work. */
    private static final int CONNECTIONS = 10;

    /** Isolation levels; the first is that of most applications. */
    private static final List<String> ISOLATION = List.of(
            "TRANSACTION_READ_COMMITTED",
            "TRANSACTION_READ_COMMITTED",
            "TRANSACTION_REPEATABLE_READ",
            "TRANSACTION_SERIALIZABLE");

    static TrialDatabase sqlite(Path file) {
        return new TrialDatabase(SQLITE + file);
    }

    boolean isSqlite() {
        return url.startsWith(SQLITE);
    }

    boolean isMariadb() {
        return url.startsWith("jdbc:mariadb:");
    }

    /** Opens the store, but for SQLite at a random isolation level: the promises hold at all of them. */
    JdbcStore openStore(Random random) {
        if (isSqlite()) {
            return JdbcStore.sqlite(Path.of(url.substring(SQLITE.length())));
        }
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        // Longer than a connection takes on a machine that is busy with everything else.
        config.setConnectionTimeout(60_000);
        config.setInitializationFailTimeout(-1);
        config.setTransactionIsolation(ISOLATION.get(random.nextInt(ISOLATION.size())));
        return JdbcStore.on(new HikariDataSource(config));
    }

    /** Connects without the store, to see what is really there. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /**
     * Creates the tables of the work without unique constraints, so that a second effect is seen and not refused. There are two, so that
     * half an effect is seen as well.
     */
    void createWorkTables() throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            if (isSqlite()) {
                statement.execute("PRAGMA journal_mode = WAL");
            }
            statement.execute("CREATE TABLE payments (client_key VARCHAR(100) NOT NULL, effect VARCHAR(100) NOT NULL)");
            statement.execute("CREATE TABLE postings (client_key VARCHAR(100) NOT NULL, effect VARCHAR(100) NOT NULL)");
        }
    }
}
