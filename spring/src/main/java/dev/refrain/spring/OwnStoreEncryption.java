package dev.refrain.spring;

import dev.refrain.store.Store;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.jdbc.JdbcStore;
import java.util.Optional;
import org.springframework.util.ClassUtils;

/**
 * Store in a database that the application encrypts itself, with an {@code EncryptingStore} bean around it.
 *
 * @param inner the store inside, whose transactions hold keys and work
 */
record OwnStoreEncryption(JdbcStore inner, StoreEncryption encryption) {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "dev.refrain.store.encryption.EncryptingStore", OwnStoreEncryption.class.getClassLoader());

    /** Returns what an {@code EncryptingStore} is made of; empty for any other store, and for one that is not in a database. */
    static Optional<OwnStoreEncryption> of(Store store) {
        return PRESENT ? Reader.of(store) : Optional.empty();
    }

    /** Uses refrain-store-encryption; loaded only if it is there. */
    private static final class Reader {
        static Optional<OwnStoreEncryption> of(Store store) {
            return store instanceof EncryptingStore encrypting
                    ? encrypting
                            .inner()
                            .ability(JdbcStore.class)
                            .map(jdbc -> new OwnStoreEncryption(jdbc, new JdbcStoreEncryption(encrypting)))
                    : Optional.empty();
        }
    }
}
