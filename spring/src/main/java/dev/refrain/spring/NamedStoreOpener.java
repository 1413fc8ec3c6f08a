package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.store.Store;
import dev.refrain.store.jdbc.JdbcStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Opens the stores of {@code refrain.stores}, each with a Refrain of its own, and closes them in the reverse order. */
final class NamedStoreOpener implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NamedStoreOpener.class.getName());
    private static final String NAME = "[A-Za-z][A-Za-z0-9-]*";

    private final ConfigurableListableBeanFactory beans;
    private final RefrainProperties properties;
    private final BiFunction<Store, String, Refrain> refrains;
    private final String neededBy;
    private final List<StoreConnectionPool> pools = new ArrayList<>();
    private final Map<String, StoreConnectionPool> poolsByName = new HashMap<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /**
     * @param refrains creates the Refrain on a store, from the store and its name
     * @param neededBy the bean that needs the DataSources and stores, which are closed after it
     */
    NamedStoreOpener(
            ConfigurableListableBeanFactory beans,
            RefrainProperties properties,
            BiFunction<Store, String, Refrain> refrains,
            String neededBy) {
        this.beans = beans;
        this.properties = properties;
        this.refrains = refrains;
        this.neededBy = neededBy;
        beans.getBeanProvider(StoreConnectionPool.class).ifAvailable(pools::add);
    }

    /**
     * Opens all stores.
     *
     * @throws RefrainStartException if one of them cannot be opened; nothing is left open then
     */
    List<OperationStore> open() {
        var stores = new ArrayList<OperationStore>();
        try {
            properties.stores().forEach((name, settings) -> stores.add(open(name, settings)));
            return stores;
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    private OperationStore open(String name, RefrainProperties.NamedStore settings) {
        String path = "refrain.stores." + name;
        if (!name.matches(NAME) || name.equals(OperationStore.DEFAULT)) {
            throw new RefrainStartException(
                    path + ": a store cannot have this name.",
                    name.equals(OperationStore.DEFAULT)
                            ? "The default store is configured by refrain.store. Choose another name."
                            : "Choose one of letters, digits and hyphens that begins with a letter.");
        }
        long places = Stream.of(settings.bean(), settings.url(), settings.dataSource())
                .filter(place -> !place.isEmpty())
                .count();
        if (places != 1 || (settings.dataSource().isEmpty() && settings.isOnDataSource())) {
            throw new RefrainStartException(
                    path
                            + " must have either data-source, the name of a DataSource bean, with the settings that go with it; or"
                            + " bean, the name of a Store bean, or url, such as redis://HOST:PORT, and no other setting than"
                            + " http-namespace.",
                    "Set one of them.");
        }
        var store = store(name, path, settings);
        var own = OwnStoreEncryption.of(store);
        var encryption = own.map(OwnStoreEncryption::encryption)
                .or(() -> encryption(path, store, !settings.url().isEmpty()));
        var refrain = RefrainStartException.explain(
                path,
                () -> refrains.apply(encryption.map(StoreEncryption::store).orElse(store), name));
        opened.push(refrain);
        // Where one store wraps another, the inner one knows the transactions.
        return new OperationStore(
                name,
                Optional.of(own.<Store>map(OwnStoreEncryption::inner).orElse(store)),
                encryption,
                refrain,
                settings.httpNamespace());
    }

    private Store store(String name, String path, RefrainProperties.NamedStore settings) {
        if (!settings.bean().isEmpty()) {
            return ofBean(path, settings.bean());
        }
        if (settings.url().isEmpty()) {
            return onDataSource(name, path, settings);
        }
        var store = StoreUrl.open(path, settings.url());
        opened.push(store);
        return store;
    }

    /** Encrypts a store that the starter opens, or that is in a database, with the keys that encrypt the default store. Any other has to encrypt itself. */
    private Optional<StoreEncryption> encryption(String path, Store store, boolean opensIt) {
        return opensIt || store.ability(JdbcStore.class).isPresent()
                ? Optional.ofNullable(
                                beans.getBeanProvider(StoreEncryptor.class).getIfUnique())
                        .map(encryptor -> RefrainStartException.explain(path, () -> encryptor.around(store)))
                : Optional.empty();
    }

    private Store onDataSource(String name, String path, RefrainProperties.NamedStore settings) {
        var source = StoreDataSourceChoice.require(beans, path + ".data-source", settings.dataSource(), neededBy);
        int heldByOthers = pools.stream()
                .filter(pool -> pool.application().equals(source))
                .mapToInt(StoreConnectionPool::heldOfApplication)
                .sum();
        var pool = StoreConnectionPool.of(
                StorePlace.named(name, settings.dataSource()), source, settings.connections(), false, heldByOthers);
        opened.push(pool);
        pools.add(pool);
        poolsByName.put(name, pool);
        var store = pool.open(settings.ofDataSource(), false);
        opened.push(store);
        return store;
    }

    private Store ofBean(String path, String bean) {
        var candidates = new TreeSet<>(List.of(beans.getBeanNamesForType(Store.class)));
        if (!candidates.contains(bean)) {
            throw new RefrainStartException(
                    path + ".bean is '" + bean + "', but there is no such Store bean. There "
                            + (candidates.isEmpty()
                                    ? "is none at all."
                                    : "are: " + String.join(", ", candidates) + "."),
                    "Set it to the name of one of them, or set " + path + ".data-source.");
        }
        beans.registerDependentBean(bean, neededBy);
        return beans.getBean(bean, Store.class);
    }

    Optional<String> connectionsOf(String name) {
        return Optional.ofNullable(poolsByName.get(name)).map(StoreConnectionPool::budget);
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception failure) {
                LOG.log(System.Logger.Level.WARNING, "A part of a named store could not be closed.", failure);
            }
        }
    }
}
