package dev.refrain.benchmarks;

import java.sql.SQLException;

/** Writes a bare row per message in the same transactions; nobody delivers it. The baseline of the outbox. */
final class BareInsertWorkload implements BenchmarkWorkload {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS messages (
                id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                topic   text  NOT NULL,
                payload bytea NOT NULL
            )""";

    private final BenchmarkPaymentApp shop;

    BareInsertWorkload(String url) throws SQLException {
        shop = BenchmarkPaymentApp.on(url);
        shop.execute(TABLE);
    }

    @Override
    public String name() {
        return "bare inserts";
    }

    @Override
    public void callOnce() throws SQLException {
        shop.pay(connection -> {
            try (var insert = connection.prepareStatement("INSERT INTO messages (topic, payload) VALUES (?, ?)")) {
                insert.setString(1, "payments");
                insert.setBytes(2, SampleTraffic.body());
                insert.executeUpdate();
            }
        });
    }

    @Override
    public void close() {
        shop.close();
    }
}
