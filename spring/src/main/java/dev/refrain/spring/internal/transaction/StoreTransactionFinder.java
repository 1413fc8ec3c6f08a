package dev.refrain.spring.internal.transaction;

import dev.refrain.spring.OperationStore;
import dev.refrain.store.jdbc.JdbcStore;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * Finds the transactions in which work and key commit together: those of the manager of the key store's own DataSource, also
 * where an application has several of either.
 */
public final class StoreTransactionFinder {

    /** Relation of a transaction manager to a DataSource. */
    private enum Management {
        MANAGED,
        UNKNOWN,
        FOREIGN
    }

    private final ListableBeanFactory beans;

    public StoreTransactionFinder(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns Spring's transactions on the database of a store; empty if no manager manages its DataSource. */
    public Optional<SpringTransactionSource> find(JdbcStore store) {
        return dataSourceOf(store)
                .flatMap(source -> managerOf(source).map(manager -> new SpringTransactionSource(manager, source)));
    }

    /**
     * Returns Spring's transactions on the database of one of the application's stores. For a named store only a manager that is known to
     * manage its DataSource counts: any other one may be that of the default store.
     */
    public Optional<SpringTransactionSource> find(OperationStore store) {
        return store.isDefault()
                ? store.jdbc().flatMap(this::find)
                : store.jdbc()
                        .flatMap(jdbc -> onlyManagerOf(jdbc.dataSource())
                                .map(manager -> new SpringTransactionSource(manager, jdbc.dataSource())));
    }

    /** Returns the manager of a store's transactions; for the default store without a database the one that Spring would inject. */
    @Nullable
    PlatformTransactionManager managerOf(OperationStore store) {
        return store.isDefault()
                ? managerOfKeys()
                : store.jdbc().flatMap(jdbc -> onlyManagerOf(jdbc.dataSource())).orElse(null);
    }

    /** Returns the name of a manager's bean, for messages. */
    String nameOf(TransactionManager manager) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, TransactionManager.class, true, false)
                .entrySet()
                .stream()
                .filter(bean -> bean.getValue().equals(manager))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(manager.getClass().getSimpleName());
    }

    /**
     * Returns the DataSource bean of a store. A store that the application built on another object, such as a wrapper, is taken
     * to be on the bean that Spring would inject.
     */
    public Optional<DataSource> dataSourceOf(JdbcStore store) {
        return all(DataSource.class).stream()
                .filter(store.dataSource()::equals)
                .findFirst()
                .or(() -> Optional.ofNullable(
                        beans.getBeanProvider(DataSource.class).getIfUnique()));
    }

    /** Returns the manager of the keys' transactions; without a JDBC store the one that Spring would inject. */
    @Nullable
    private PlatformTransactionManager managerOfKeys() {
        var store = beans.getBeanProvider(JdbcStore.class).getIfUnique();
        return store == null
                ? beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique()
                : dataSourceOf(store).flatMap(this::managerOf).orElse(null);
    }

    private Optional<PlatformTransactionManager> managerOf(DataSource source) {
        var injected = beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (injected != null && management(injected, source) != Management.FOREIGN) {
            return Optional.of(injected);
        }
        return onlyManagerOf(source);
    }

    /** Returns the one manager that says that it manages this DataSource. */
    private Optional<PlatformTransactionManager> onlyManagerOf(DataSource source) {
        var fitting = all(PlatformTransactionManager.class).stream()
                .filter(manager -> management(manager, source) == Management.MANAGED)
                .toList();
        return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
    }

    private <T> Collection<T> all(Class<T> type) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, true, false)
                .values();
    }

    private static Management management(PlatformTransactionManager manager, DataSource source) {
        var managed = ManagerDataSources.find(manager);
        if (managed == null) {
            return Management.UNKNOWN;
        }
        return isSame(managed, source) ? Management.MANAGED : Management.FOREIGN;
    }

    /** Compares them as Spring does where it looks for the connection of a transaction. */
    private static boolean isSame(DataSource managed, DataSource source) {
        return TransactionSynchronizationUtils.unwrapResourceIfNecessary(managed)
                .equals(TransactionSynchronizationUtils.unwrapResourceIfNecessary(source));
    }
}
