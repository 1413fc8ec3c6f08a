package dev.refrain.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Runs the same order as an expert would write it by hand: a table of keys, claimed by one statement that commits; then each phase in a
 * transaction together with the state of the key; the answer stored with the last one. Statements and the four commits are the same as
 * those of the flow.
 */
final class HandWrittenFlowWorkload implements BenchmarkWorkload {

    private static final String KEYS = """
            CREATE TABLE IF NOT EXISTS idempotency_keys (
                scope          text        NOT NULL,
                key            text        NOT NULL,
                id             uuid        NOT NULL,
                request        jsonb       NOT NULL,
                recovery_point text        NOT NULL,
                carried        text,
                locked_until   timestamptz,
                created_at     timestamptz NOT NULL DEFAULT now(),
                status         integer,
                body           bytea,
                PRIMARY KEY (scope, key))""";

    private final BenchmarkPaymentApp shop;

    HandWrittenFlowWorkload(String url) throws SQLException {
        shop = BenchmarkPaymentApp.on(url);
        shop.execute(OrderTables.CREATE);
        shop.execute(KEYS);
    }

    /** Work inside one transaction. */
    @FunctionalInterface
    private interface Phase {
        void run(Connection tx) throws SQLException;
    }

    @Override
    public String name() {
        return "by hand";
    }

    @Override
    public void callOnce() throws SQLException {
        var call = SampleTraffic.call();
        var id = UUID.randomUUID();
        String request = "{\"account\":\"" + OrderTables.REQUEST.account() + "\",\"amount\":"
                + OrderTables.REQUEST.amount() + "}";
        commit(tx -> OrderTables.execute(
                tx,
                "INSERT INTO idempotency_keys (scope, key, id, request, recovery_point, locked_until)"
                        + " VALUES (?, ?, ?, ?::jsonb, 'started', now() + interval '30 seconds') ON CONFLICT DO NOTHING",
                call.scope(),
                call.key(),
                id,
                request));
        String order = id.toString();
        commit(tx -> {
            OrderTables.order(tx, order);
            stands(tx, call.scope(), call.key(), "ordered", order);
        });
        String charge = call.key();
        commit(tx -> {
            OrderTables.charged(tx, order, charge);
            stands(tx, call.scope(), call.key(), "charged", order);
        });
        commit(tx -> {
            var body = SampleTraffic.body();
            OrderTables.receipt(tx, order, body);
            OrderTables.execute(
                    tx,
                    "UPDATE idempotency_keys SET recovery_point = 'finished', locked_until = NULL, status = 201, body = ?"
                            + " WHERE scope = ? AND key = ?",
                    body,
                    call.scope(),
                    call.key());
        });
    }

    private static void stands(Connection tx, String scope, String key, String point, String carried)
            throws SQLException {
        OrderTables.execute(
                tx,
                "UPDATE idempotency_keys SET recovery_point = ?, carried = ?, locked_until = now() + interval '30 seconds'"
                        + " WHERE scope = ? AND key = ?",
                point,
                carried,
                scope,
                key);
    }

    private void commit(Phase phase) throws SQLException {
        try (var connection = shop.pool().getConnection()) {
            connection.setAutoCommit(false);
            phase.run(connection);
            connection.commit();
        }
    }

    @Override
    public void close() {
        shop.close();
    }
}
