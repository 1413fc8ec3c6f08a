package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.util.Optional;

/**
 * One of the application's stores, with the Refrain on it.
 *
 * @param name as in {@code refrain.stores}; empty for the default store
 * @param store empty if the application defines its default Refrain without a Store bean; the store inside where it is encrypted here
 * @param encryption empty if nothing is encrypted around the store
 * @param httpNamespace namespace of the keys of its HTTP routes
 */
public record OperationStore(
        String name,
        Optional<Store> store,
        Optional<StoreEncryption> encryption,
        Refrain refrain,
        String httpNamespace) {

    /** Name of the default store in metrics, and where people name it. */
    public static final String DEFAULT = "default";

    public boolean isDefault() {
        return name.isEmpty();
    }

    /** Returns the name for metrics, health and the actuator. */
    public String label() {
        return isDefault() ? DEFAULT : name;
    }

    /** Returns the name as part of a sentence. */
    public String inWords() {
        return inWords(label());
    }

    static String inWords(String label) {
        return label.equals(DEFAULT) ? "the default store" : "the store " + label;
    }

    /** Returns the store if it is in a database of JDBC, whose transactions can hold keys and work; also from inside of a decorator that changes nothing of what is written. */
    public Optional<JdbcStore> jdbc() {
        return store.flatMap(each -> each.ability(JdbcStore.class));
    }

    /** Returns transactions of the store as its operations use them: encrypted if it is. */
    public StoreTransactionFactory<Connection> encrypted(StoreTransactionFactory<Connection> plain) {
        return encryption.map(each -> each.transactions(plain)).orElse(plain);
    }

    public boolean isEncrypted() {
        return encryption.isPresent()
                || store.filter(each -> each.traits().encrypted()).isPresent();
    }
}
