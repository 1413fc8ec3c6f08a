package dev.refrain.demo;

import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Checkout without keys: inserts an order, charges, inserts a receipt. */
final class UnprotectedCheckout {

    private final ShopDatabase database;
    private final DemoBankClient bank;

    UnprotectedCheckout(ShopDatabase database, DemoBankClient bank) {
        this.database = database;
        this.bank = bank;
    }

    ShopReceipt sell(ShopOrder order) throws Exception {
        String id = UUID.randomUUID().toString();
        insert(id, order);
        var charge = bank.charge(order, Optional.empty());
        var receipt = new ShopReceipt(id, charge.id());
        insert(receipt);
        return receipt;
    }

    /** Serializes writers: SQLite has one writer at a time, and a hundred contending for it are slow. */
    private synchronized void insert(String id, ShopOrder order) throws SQLException {
        try (var connection = database.database().getConnection()) {
            ShopDatabase.insertOrder(connection, id, order);
        }
    }

    private synchronized void insert(ShopReceipt receipt) throws SQLException {
        try (var connection = database.database().getConnection()) {
            ShopDatabase.insertReceipt(connection, receipt);
        }
    }
}
