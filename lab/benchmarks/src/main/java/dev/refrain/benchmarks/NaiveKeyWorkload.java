package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Does what most libraries do: look up the key, insert it if it is new, run the handler, store its answer. Four transactions, each on its
 * own connection from the pool, because the handler may take long and must not hold one.
 */
final class NaiveKeyWorkload implements BenchmarkWorkload {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS naive_key (
                scope      text        NOT NULL,
                key        text        NOT NULL,
                state      text        NOT NULL,
                request    text        NOT NULL,
                answer     bytea,
                created_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (scope, key)
            )""";

    /** Step on a connection. */
    @FunctionalInterface
    private interface Step<T> {
        T on(Connection connection) throws SQLException;
    }

    private final String name;
    private final BenchmarkPaymentApp shop;
    private final boolean autoCommit;

    private NaiveKeyWorkload(String name, String url, boolean autoCommit) throws SQLException {
        this.name = name;
        this.autoCommit = autoCommit;
        shop = BenchmarkPaymentApp.on(url);
        shop.execute(TABLE);
    }

    /** Returns the workload with a transaction per step (BEGIN, the statement, COMMIT), as declared transactions send them. */
    static NaiveKeyWorkload inTransactions(String url) throws SQLException {
        return new NaiveKeyWorkload("naive", url, false);
    }

    /** Returns the workload with steps that commit by themselves. */
    static NaiveKeyWorkload autoCommitting(String url) throws SQLException {
        return new NaiveKeyWorkload("naive, auto-commit", url, true);
    }

    @Override
    public String name() {
        return name;
    }

    private <T> T step(Step<T> step) throws SQLException {
        try (var connection = shop.pool().getConnection()) {
            connection.setAutoCommit(autoCommit);
            T result = step.on(connection);
            if (!autoCommit) {
                connection.commit();
            }
            return result;
        }
    }

    @Override
    public void callOnce() throws SQLException {
        var call = SampleTraffic.call();
        if (!isDone(call)) {
            step(connection -> note(connection, call));
            shop.pay();
            step(connection -> complete(connection, call));
        }
    }

    /** Looks up a stored answer by one SELECT, which is also the cost of a replay. */
    boolean isDone(OperationCall call) throws SQLException {
        return step(connection -> isDone(connection, call));
    }

    private static boolean isDone(Connection connection, OperationCall call) throws SQLException {
        try (var select = connection.prepareStatement(
                "SELECT state, request, answer FROM naive_key WHERE scope = ? AND key = ?")) {
            select.setString(1, call.scope());
            select.setString(2, call.key());
            try (var found = select.executeQuery()) {
                return found.next()
                        && found.getString(1).equals("DONE")
                        && found.getString(2).equals(call.request())
                        && found.getBytes(3).length > 0;
            }
        }
    }

    private static int note(Connection connection, OperationCall call) throws SQLException {
        try (var insert = connection.prepareStatement(
                "INSERT INTO naive_key (scope, key, state, request) VALUES (?, ?, 'STARTED', ?)")) {
            insert.setString(1, call.scope());
            insert.setString(2, call.key());
            insert.setString(3, call.request().toString());
            return insert.executeUpdate();
        }
    }

    private static int complete(Connection connection, OperationCall call) throws SQLException {
        try (var update = connection.prepareStatement(
                "UPDATE naive_key SET state = 'DONE', answer = ? WHERE scope = ? AND key = ?")) {
            update.setBytes(1, SampleTraffic.body());
            update.setString(2, call.scope());
            update.setString(3, call.key());
            return update.executeUpdate();
        }
    }

    /** Stores many finished calls at once. */
    void store(OperationCall[] calls) throws SQLException {
        try (var connection = shop.pool().getConnection();
                var insert = connection.prepareStatement(
                        "INSERT INTO naive_key (scope, key, state, request, answer) VALUES (?, ?, 'DONE', ?, ?)")) {
            for (var call : calls) {
                insert.setString(1, call.scope());
                insert.setString(2, call.key());
                insert.setString(3, call.request().toString());
                insert.setBytes(4, SampleTraffic.body());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @Override
    public void close() {
        shop.close();
    }
}
