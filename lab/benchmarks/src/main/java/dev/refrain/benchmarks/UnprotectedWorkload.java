package dev.refrain.benchmarks;

import java.sql.SQLException;

/** Runs the handler unprotected: BEGIN, one INSERT, COMMIT. */
final class UnprotectedWorkload implements BenchmarkWorkload {

    private final BenchmarkPaymentApp shop;

    UnprotectedWorkload(String url) throws SQLException {
        shop = BenchmarkPaymentApp.on(url);
    }

    @Override
    public String name() {
        return "unprotected";
    }

    @Override
    public void callOnce() throws SQLException {
        shop.pay();
        SampleTraffic.answer();
    }

    @Override
    public void close() {
        shop.close();
    }
}
