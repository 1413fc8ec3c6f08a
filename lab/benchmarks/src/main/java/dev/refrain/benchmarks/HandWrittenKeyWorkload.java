package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Protects the handler as people do by hand, with a table of keys in the same transaction. Neither way answers a concurrent retry before the
 * first call has committed, keeps anything but the body, or says what to do after a failure.
 */
final class HandWrittenKeyWorkload implements BenchmarkWorkload {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS hand_written_key (
                scope      text        NOT NULL,
                key        text        NOT NULL,
                request    text        NOT NULL,
                answer     bytea,
                created_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (scope, key)
            )""";

    private static final String NOTE =
            "INSERT INTO hand_written_key (scope, key, request) VALUES (?, ?, ?) ON CONFLICT (scope, key) DO NOTHING";
    private static final String ANSWER = "UPDATE hand_written_key SET answer = ? WHERE scope = ? AND key = ?";
    private static final String BOTH = "INSERT INTO hand_written_key (scope, key, request, answer) VALUES (?, ?, ?, ?)";

    private final BenchmarkPaymentApp shop;
    private final boolean keyFirst;
    private final int answerBytes;

    private HandWrittenKeyWorkload(String url, boolean keyFirst, int answerBytes) throws SQLException {
        this.shop = BenchmarkPaymentApp.on(url);
        this.keyFirst = keyFirst;
        this.answerBytes = answerBytes;
        shop.execute(TABLE);
    }

    /** Notes the key, works, and adds the answer: three statements in one transaction. */
    static HandWrittenKeyWorkload keyFirst(String url) throws SQLException {
        return new HandWrittenKeyWorkload(url, true, SampleTraffic.OUTCOME_BYTES);
    }

    /** Works, and inserts the key with the answer: two statements in one transaction. */
    static HandWrittenKeyWorkload keyLast(String url) throws SQLException {
        return keyLast(url, SampleTraffic.OUTCOME_BYTES);
    }

    static HandWrittenKeyWorkload keyLast(String url, int answerBytes) throws SQLException {
        return new HandWrittenKeyWorkload(url, false, answerBytes);
    }

    @Override
    public String name() {
        return keyFirst ? "by hand, key first" : "by hand, key last";
    }

    @Override
    public void callOnce() throws SQLException {
        var call = SampleTraffic.call();
        try (var connection = shop.pool().getConnection()) {
            connection.setAutoCommit(false);
            if (keyFirst) {
                note(connection, call);
                shop.pay(connection);
                answer(connection, call);
            } else {
                shop.pay(connection);
                insertAnswered(connection, call);
            }
            connection.commit();
        }
    }

    private static void note(Connection connection, OperationCall call) throws SQLException {
        try (var insert = connection.prepareStatement(NOTE)) {
            insert.setString(1, call.scope());
            insert.setString(2, call.key());
            insert.setString(3, call.request().toString());
            if (insert.executeUpdate() != 1) {
                throw new MeasurementFailedException("A random key was there already.");
            }
        }
    }

    private void answer(Connection connection, OperationCall call) throws SQLException {
        try (var update = connection.prepareStatement(ANSWER)) {
            update.setBytes(1, SampleTraffic.body(answerBytes));
            update.setString(2, call.scope());
            update.setString(3, call.key());
            update.executeUpdate();
        }
    }

    private void insertAnswered(Connection connection, OperationCall call) throws SQLException {
        try (var insert = connection.prepareStatement(BOTH)) {
            insert.setString(1, call.scope());
            insert.setString(2, call.key());
            insert.setString(3, call.request().toString());
            insert.setBytes(4, SampleTraffic.body(answerBytes));
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        shop.close();
    }
}
