package dev.refrain.benchmarks;

import dev.refrain.Call;
import java.sql.SQLException;

/**
 * What most libraries do: look for the key; if it is new, note it; run the handler; note its answer. Four commits, each with
 * a connection of its own from the pool, since the handler may take long and must not hold one.
 */
final class NaiveSide implements Side {

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

    private final Shop shop;

    NaiveSide(String url) throws SQLException {
        shop = Shop.on(url);
        shop.execute(TABLE);
    }

    @Override
    public String name() {
        return "naive";
    }

    @Override
    public void once() throws SQLException {
        var call = Traffic.call();
        if (!isDone(call)) {
            note(call);
            shop.pay();
            complete(call);
        }
    }

    /** One SELECT, the answer included: also what a replay costs. */
    boolean isDone(Call call) throws SQLException {
        try (var connection = shop.pool().getConnection();
                var select = connection.prepareStatement(
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

    private void note(Call call) throws SQLException {
        try (var connection = shop.pool().getConnection();
                var insert = connection.prepareStatement(
                        "INSERT INTO naive_key (scope, key, state, request) VALUES (?, ?, 'STARTED', ?)")) {
            insert.setString(1, call.scope());
            insert.setString(2, call.key());
            insert.setString(3, call.request().toString());
            insert.executeUpdate();
        }
    }

    private void complete(Call call) throws SQLException {
        try (var connection = shop.pool().getConnection();
                var update = connection.prepareStatement(
                        "UPDATE naive_key SET state = 'DONE', answer = ? WHERE scope = ? AND key = ?")) {
            update.setBytes(1, Traffic.body());
            update.setString(2, call.scope());
            update.setString(3, call.key());
            update.executeUpdate();
        }
    }

    /** Many finished calls at once, to be found later. */
    void store(Call[] calls) throws SQLException {
        try (var connection = shop.pool().getConnection();
                var insert = connection.prepareStatement(
                        "INSERT INTO naive_key (scope, key, state, request, answer) VALUES (?, ?, 'DONE', ?, ?)")) {
            for (var call : calls) {
                insert.setString(1, call.scope());
                insert.setString(2, call.key());
                insert.setString(3, call.request().toString());
                insert.setBytes(4, Traffic.body());
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
