package dev.refrain.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Application with one handler, which writes a payment, and one pool of 16 connections. A protected handler shares them with its
 * protection, so that it has no more connections than an unprotected one.
 */
final class BenchmarkPaymentApp implements AutoCloseable {

    static final int CONNECTIONS = 16;

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS payments (
                id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                account    text        NOT NULL,
                amount     bigint      NOT NULL,
                currency   text        NOT NULL,
                created_at timestamptz NOT NULL DEFAULT now()
            )""";

    private static final String PAY = "INSERT INTO payments (account, amount, currency) VALUES (?, ?, ?)";

    private final HikariDataSource pool;

    private BenchmarkPaymentApp(HikariDataSource pool) {
        this.pool = pool;
    }

    static BenchmarkPaymentApp on(String url) throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(CONNECTIONS);
        var shop = new BenchmarkPaymentApp(new HikariDataSource(config));
        shop.execute(TABLE);
        return shop;
    }

    DataSource pool() {
        return pool;
    }

    /** Additional work inside a transaction of the handler. */
    @FunctionalInterface
    interface TransactionExtra {
        void run(Connection connection) throws SQLException;
    }

    /** Runs the handler in a transaction of its own. */
    void pay() throws SQLException {
        pay(connection -> {});
    }

    /** Runs the handler and additional work in one transaction. */
    void pay(TransactionExtra beside) throws SQLException {
        try (var connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            pay(connection);
            beside.run(connection);
            connection.commit();
        }
    }

    /** Writes the payment in a transaction that the caller commits. */
    void pay(Connection connection) throws SQLException {
        try (var insert = connection.prepareStatement(PAY)) {
            insert.setString(1, "DE02120300000000202051");
            insert.setLong(2, ThreadLocalRandom.current().nextLong(1, 100_000));
            insert.setString(3, "EUR");
            insert.executeUpdate();
        }
    }

    /** Runs a statement that commits by itself. */
    void execute(String sql) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
