package dev.refrain.spring;

import dev.refrain.store.Store;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Encryption of the key store and of everything that stores beside it. A bean where {@code refrain.encryption.keys} is set or the
 * application has an {@code EncryptionKeyRing} or an {@code EncryptingStore}; absent where nothing is encrypted. Thread-safe.
 *
 * {@snippet :
 * KeyedJobQueue.on(refrain, encryption.transactions(store.transactions()), encryption.outbox(store.outbox()));
 * }
 */
public interface StoreEncryption {

    /** Returns the store that encrypts. */
    Store store();

    /** Returns transactions of the store inside, which encrypt as {@link #store} does. */
    StoreTransactionFactory<Connection> transactions(StoreTransactionFactory<Connection> plain);

    /** Returns the outbox of the store inside, which encrypts messages. */
    OutboxStore<Connection> outbox(OutboxStore<Connection> plain);

    /** Returns the encryption of an application; empty if it stores in the clear. */
    static Optional<StoreEncryption> of(ListableBeanFactory beans) {
        return Optional.ofNullable(beans.getBeanProvider(StoreEncryption.class).getIfUnique());
    }

    /** Returns the transactions as they are used by an application: encrypted if its store is. */
    static StoreTransactionFactory<Connection> transactions(
            StoreTransactionFactory<Connection> plain, ListableBeanFactory beans) {
        return of(beans).map(encryption -> encryption.transactions(plain)).orElse(plain);
    }
}
