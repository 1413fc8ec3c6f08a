package dev.refrain.trials.upgrades;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A real database, empty at first. */
public sealed interface EmptyDatabase extends AutoCloseable {

    List<String> DIALECTS = List.of("postgresql", "sqlite");

    DataSource source();

    /** As the store's own scripts name it. */
    String dialect();

    /** Milliseconds since 1970 by its own clock. */
    long now(Connection connection) throws SQLException;

    /** An expression: that column, so many milliseconds later. What is for ever, never, or absent stays so. */
    String later(String column, long millis);

    /** Runs statements, each of which ends with its line, in one transaction. */
    void execute(Connection connection, String text) throws SQLException;

    @Override
    void close();

    static EmptyDatabase of(String dialect, Path directory) throws SQLException, IOException {
        return switch (dialect) {
            case "postgresql" -> PooledServer.emptied();
            case "sqlite" -> OneFile.in(directory);
            case "mysql" -> PooledMariadb.emptied();
            default -> throw new IllegalArgumentException(dialect);
        };
    }

    /** Returns the dialects of this build: MySQL's, on MariaDB, with {@code -Pstores}. */
    static Stream<String> tested() {
        return Stream.concat(
                DIALECTS.stream(), Boolean.getBoolean("tests.stores") ? Stream.of("mysql") : Stream.empty());
    }

    /** Runs each statement by itself, in one transaction. */
    private static void executeEach(Connection connection, String text) throws SQLException {
        try (var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : text.split(";\n")) {
                statement.execute(sql);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Numbers, the greatest of which is for ever, and zero never. */
    private static String laterNumber(String column, long millis) {
        return "CASE WHEN " + column + " > 0 AND " + column + " < " + Long.MAX_VALUE + " THEN " + column + " + ("
                + millis + ") ELSE " + column + " END";
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** This run's PostgreSQL. */
    record PooledServer(HikariDataSource source) implements EmptyDatabase {

        /** Shared by tests that run one after the other: making one takes longer than a test. */
        private static final String URL = PostgresServer.shared().freshDatabase();

        private static PooledServer emptied() throws SQLException {
            var config = new HikariConfig();
            config.setJdbcUrl(URL);
            config.setMinimumIdle(4);
            config.setMaximumPoolSize(20);
            var pool = new HikariDataSource(config);
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
            }
            return new PooledServer(pool);
        }

        @Override
        public String dialect() {
            return "postgresql";
        }

        @Override
        public long now(Connection connection) throws SQLException {
            return number(connection, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        }

        @Override
        public String later(String column, long millis) {
            return column + " + interval '" + millis + " milliseconds'";
        }

        /** In one go: a round trip for each would take longer than all else. */
        @Override
        public void execute(Connection connection, String text) throws SQLException {
            try (var statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(text);
                connection.commit();
                connection.setAutoCommit(true);
            }
        }

        @Override
        public void close() {
            source.close();
        }
    }

    /** This run's MariaDB. */
    record PooledMariadb(HikariDataSource source) implements EmptyDatabase {

        private static PooledMariadb emptied() {
            var config = new HikariConfig();
            config.setJdbcUrl(MariadbServer.shared().freshDatabase());
            config.setMinimumIdle(4);
            config.setMaximumPoolSize(20);
            return new PooledMariadb(new HikariDataSource(config));
        }

        @Override
        public String dialect() {
            return "mysql";
        }

        @Override
        public long now(Connection connection) throws SQLException {
            return number(connection, "SELECT CAST(unix_timestamp(now(3)) * 1000 AS SIGNED)");
        }

        @Override
        public String later(String column, long millis) {
            return laterNumber(column, millis);
        }

        @Override
        public void execute(Connection connection, String text) throws SQLException {
            executeEach(connection, text);
        }

        @Override
        public void close() {
            source.close();
        }
    }

    /** Those who write at the same time wait for the lock. */
    record OneFile(DataSource source) implements EmptyDatabase {

        private static OneFile in(Path directory) throws IOException {
            Files.createDirectories(directory);
            var file = new SQLiteDataSource();
            file.setUrl("jdbc:sqlite:" + directory.resolve("old.db") + "?busy_timeout=5000&transaction_mode=IMMEDIATE");
            return new OneFile(file);
        }

        @Override
        public String dialect() {
            return "sqlite";
        }

        @Override
        public long now(Connection connection) throws SQLException {
            return number(connection, "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)");
        }

        @Override
        public String later(String column, long millis) {
            return laterNumber(column, millis);
        }

        @Override
        public void execute(Connection connection, String text) throws SQLException {
            executeEach(connection, text);
        }

        @Override
        public void close() {
            // The file goes with its directory.
        }
    }
}
