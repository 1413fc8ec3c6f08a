package dev.refrain.spring;

import dev.refrain.store.Store;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;

/** Encryption of a store in a database. Needs {@code refrain-store-encryption} on the class path. */
record JdbcStoreEncryption(EncryptingStore encrypting) implements StoreEncryption {

    @Override
    public Store store() {
        return encrypting;
    }

    @Override
    public StoreTransactionFactory<Connection> transactions(StoreTransactionFactory<Connection> plain) {
        return encrypting.transactions(plain);
    }

    @Override
    public OutboxStore<Connection> outbox(OutboxStore<Connection> plain) {
        return encrypting.outbox(plain);
    }
}
