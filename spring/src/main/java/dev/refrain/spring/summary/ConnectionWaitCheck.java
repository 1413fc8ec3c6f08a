package dev.refrain.spring.summary;

import dev.refrain.api.DurationText;
import dev.refrain.http.OperationMode;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.ProtectedBeanMethods;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.StoreConnectionPool;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.internal.transaction.PoolTimeouts;
import dev.refrain.spring.internal.transaction.StoreTransactionFinder;
import dev.refrain.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.context.ApplicationContext;

/**
 * Finds the stores whose transactional requests may wait for a connection for longer than {@code store-timeout} on a network that falls
 * silent: their pool, or their transaction manager, has to be asked on the request's own thread, and that thread cannot be interrupted.
 */
final class ConnectionWaitCheck {

    /** The bean that Spring Boot makes from {@code spring.datasource}. */
    private static final String OF_BOOT = "dataSource";

    private final ApplicationContext application;
    private final RefrainStores stores;

    ConnectionWaitCheck(ApplicationContext application) {
        this.application = application;
        this.stores = application.getBean(RefrainStores.class);
    }

    /** Returns a warning for each such store, with the settings that mend it. */
    List<String> warnings() {
        if (application.getEnvironment().getProperty("spring.threads.virtual.enabled", Boolean.class, false)) {
            // An interrupt ends every wait of a virtual thread.
            return List.of();
        }
        return stores.all().stream()
                .filter(this::hasTransactionalWork)
                .flatMap(store -> store.jdbc().flatMap(jdbc -> warning(store, jdbc)).stream())
                .toList();
    }

    private Optional<String> warning(OperationStore store, JdbcStore jdbc) {
        var source = new StoreTransactionFinder(application).find(store);
        Duration patience = application.getBean(RefrainProperties.class).http().storeTimeout();
        var pool = PoolTimeouts.of(jdbc.dataSource());
        if (source.isEmpty()
                || jdbc.endsWaitsOf(source.get())
                || pool.filter(known -> known.together().compareTo(patience) <= 0)
                        .isPresent()) {
            return Optional.empty();
        }
        boolean byPool = source.get().usesBorrower() || source.get().canBeginOnAnotherThread();
        return Optional.of("Transactional requests of " + store.inWords()
                + " may wait longer than refrain.http.store-timeout (" + DurationText.of(patience)
                + ") if the network to the database falls silent: "
                + (byPool
                        ? "a " + jdbc.dataSource().getClass().getName()
                                + " may choose connections by thread, so it is asked on the request's own thread, and its validation cannot be ended"
                                + " there. If it does not, set " + anyThreadSetting(store) + "; otherwise "
                        : "the transaction manager " + source.get().managerName()
                                + " borrows connections itself, on the request's own thread, where the validation of the pool cannot be ended. To"
                                + " end it in time, ")
                + poolSetting(jdbc.dataSource(), pool) + ", or run requests on virtual threads"
                + " (spring.threads.virtual.enabled=true).");
    }

    private String anyThreadSetting(OperationStore store) {
        boolean ofStarter = store.isDefault()
                ? application.getBeanProvider(StoreConnectionPool.class).getIfAvailable() != null
                : stores.connectionsOf(store).isPresent();
        String path = store.isDefault() ? "refrain.store" : "refrain.stores." + store.name();
        return ofStarter ? path + ".borrow-on-any-thread=true" : "borrowOnAnyThread(true) where the JdbcStore is built";
    }

    private String poolSetting(DataSource source, Optional<PoolTimeouts> pool) {
        if (pool.isEmpty()) {
            return "set the timeout for the validation of a connection in its pool below that";
        }
        boolean ofBoot = application.containsBean(OF_BOOT)
                && application.getBean(OF_BOOT).equals(source);
        String prefix = ofBoot ? "spring.datasource.hikari." : "the pool's ";
        return "set " + prefix + "connection-timeout (now "
                + DurationText.of(pool.get().connection()) + ") and " + prefix + "validation-timeout (now "
                + DurationText.of(pool.get().validation()) + ") to no more than that together";
    }

    private boolean hasTransactionalWork(OperationStore store) {
        return hasTransactionalRoute(store)
                || hasTransactionalMethod(store)
                || (store.isDefault() && application.containsBean("refrainCompleter"));
    }

    private boolean hasTransactionalRoute(OperationStore store) {
        return application.getBeanProvider(ProtectedHandlerRegistry.class).stream()
                .anyMatch(handlers -> handlers.contract().routes().stream()
                        .filter(route -> handlers.storeOf(route).equals(store.name()))
                        .anyMatch(route -> !(route.policy().run().mode() instanceof OperationMode.Leased)));
    }

    private boolean hasTransactionalMethod(OperationStore store) {
        return application.getBeanProvider(DefaultPointcutAdvisor.class).stream()
                .anyMatch(advisor -> advisor.getAdvice() instanceof ProtectedBeanMethods methods
                        && methods.hasTransactional(store.name()));
    }
}
