package dev.refrain.demo;

import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Sells as one writes it down at first: an order, a charge, a receipt. It knows of no keys. */
final class BareTill {

    private final Books books;
    private final BankClient bank;

    BareTill(Books books, BankClient bank) {
        this.books = books;
        this.bank = bank;
    }

    Receipt sell(Order order) throws Exception {
        String id = UUID.randomUUID().toString();
        enter(id, order);
        var charge = bank.charge(order, Optional.empty());
        var receipt = new Receipt(id, charge.id());
        enter(receipt);
        return receipt;
    }

    /** One at a time: SQLite has one writer, and a hundred that wait for each other in it are slow. */
    private synchronized void enter(String id, Order order) throws SQLException {
        try (var connection = books.database().getConnection()) {
            Books.enterOrder(connection, id, order);
        }
    }

    private synchronized void enter(Receipt receipt) throws SQLException {
        try (var connection = books.database().getConnection()) {
            Books.enterReceipt(connection, receipt);
        }
    }
}
