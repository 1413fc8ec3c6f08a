package dev.refrain.spring;

import dev.refrain.Refrain;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All stores of an application: the default one, if there is one, and those of {@code refrain.stores}. A namespace of keys has one store:
 * operations that share keys must see each other's. Thread-safe.
 * {@snippet :
 * Operation<String> imports = stores.refrain("bulk").operation("imports", String.class);
 * }
 */
public final class RefrainStores implements AutoCloseable {

    private final Map<String, OperationStore> stores = new LinkedHashMap<>();
    private final NamedStoreOpener opened;
    private final String missingDefault;
    private final NamespaceRegistry namespaces;

    /**
     * @param opened closes what was opened for the named stores
     * @param missingDefault why there is no default store, as a sentence
     * @param namespaces is asked by the operations of these stores too
     */
    RefrainStores(
            Optional<OperationStore> byDefault,
            Collection<OperationStore> named,
            NamedStoreOpener opened,
            String missingDefault,
            NamespaceRegistry namespaces) {
        byDefault.ifPresent(store -> stores.put("", store));
        named.forEach(store -> stores.put(store.name(), store));
        this.opened = opened;
        this.missingDefault = missingDefault;
        this.namespaces = namespaces;
    }

    /**
     * Returns the Refrain of a store.
     *
     * @param name as in {@code refrain.stores}; empty for the default store
     * @throws RefrainStartException if there is no such store, with the names of those that there are
     */
    public Refrain refrain(String name) {
        return require(name, "The application").refrain();
    }

    /**
     * Returns a store.
     *
     * @param place what names it, as the beginning of a sentence
     * @throws RefrainStartException if there is no such store, with the names of those that there are
     */
    public OperationStore require(String name, String place) {
        var store = stores.get(name);
        if (store != null) {
            return store;
        }
        if (name.isEmpty()) {
            throw new RefrainStartException(
                    place + " names no store, and there is no default one. " + missingDefault + " There " + known()
                            + ".",
                    "Name one of them, for example @Idempotent(store = \"" + nameOfFirst()
                            + "\"), or choose the DataSource of the default store with refrain.store.data-source.");
        }
        throw new RefrainStartException(
                place + " names the store '" + name + "', which does not exist. There " + known() + ".",
                "Correct the name, or configure that store: refrain.stores." + name + ".data-source=<DataSource bean>"
                        + " or refrain.stores." + name + ".bean=<Store bean>.");
    }

    private String nameOfFirst() {
        return stores.keySet().stream().findFirst().orElse("");
    }

    private String known() {
        return (stores.size() == 1 ? "is only " : "are ")
                + stores.values().stream().map(OperationStore::inWords).collect(Collectors.joining(", "));
    }

    /**
     * Records that a namespace is used with a store.
     *
     * @param place what uses it, for messages
     * @throws RefrainStartException if it is used with another store too, with both places
     */
    public void requireOneStore(String namespace, OperationStore store, String place) {
        namespaces.requireOneStore(namespace, store, place);
    }

    /** Returns the store without a name; empty if the application has none. */
    public Optional<OperationStore> byDefault() {
        return Optional.ofNullable(stores.get(""));
    }

    /** Returns the stores of {@code refrain.stores}. */
    public List<OperationStore> named() {
        return stores.values().stream().filter(store -> !store.isDefault()).toList();
    }

    /** Returns all stores, the default one first. */
    public List<OperationStore> all() {
        return List.copyOf(stores.values());
    }

    /** Returns how many connections a named store holds, in words; empty if it is not on a DataSource. */
    public Optional<String> connectionsOf(OperationStore store) {
        return opened.connectionsOf(store.name());
    }

    /** Closes the named stores: first each Refrain, which finishes or releases running work, then what is below it. */
    @Override
    public void close() {
        opened.close();
    }
}
