package dev.refrain.demo;

import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Sells as one writes it down at first: an order, a charge, a receipt. It knows of no keys. */
final class UnprotectedCheckout {

    private final ShopDatabase books;
    private final DemoBankClient bank;

    UnprotectedCheckout(ShopDatabase books, DemoBankClient bank) {
        this.books = books;
        this.bank = bank;
    }

    ShopReceipt sell(ShopOrder order) throws Exception {
        String id = UUID.randomUUID().toString();
        enter(id, order);
        var charge = bank.charge(order, Optional.empty());
        var receipt = new ShopReceipt(id, charge.id());
        enter(receipt);
        return receipt;
    }

    /** One at a time: SQLite has one writer, and a hundred that wait for each other in it are slow. */
    private synchronized void enter(String id, ShopOrder order) throws SQLException {
        try (var connection = books.database().getConnection()) {
            ShopDatabase.enterOrder(connection, id, order);
        }
    }

    private synchronized void enter(ShopReceipt receipt) throws SQLException {
        try (var connection = books.database().getConnection()) {
            ShopDatabase.enterReceipt(connection, receipt);
        }
    }
}
