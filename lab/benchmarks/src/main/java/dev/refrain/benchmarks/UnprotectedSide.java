package dev.refrain.benchmarks;

import java.sql.SQLException;

/** The handler as it is: BEGIN, one INSERT, COMMIT. */
final class UnprotectedSide implements Side {

    private final Shop shop;

    UnprotectedSide(String url) throws SQLException {
        shop = Shop.on(url);
    }

    @Override
    public String name() {
        return "unprotected";
    }

    @Override
    public void callOnce() throws SQLException {
        shop.pay();
        Traffic.answer();
    }

    @Override
    public void close() {
        shop.close();
    }
}
