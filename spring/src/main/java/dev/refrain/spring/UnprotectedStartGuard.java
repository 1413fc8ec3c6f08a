package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.memory.MemoryStore;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.env.Environment;

/**
 * Refuses the start of an application in which something asks to be protected and nothing would protect it. Where protection is
 * switched off, warns once about everything that is unprotected now.
 */
final class UnprotectedStartGuard implements SmartInitializingSingleton {

    private static final System.Logger LOG = System.getLogger(UnprotectedStartGuard.class.getName());

    /** Number of names in a refusal; a warning lists all. */
    private static final int NAMED = 5;

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    UnprotectedStartGuard(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        StarterGenerationCheck.require(
                String.valueOf(SpringBootVersion.getVersion()), UnprotectedStartGuard.class.getClassLoader());
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Refrain.class).length > 0) {
            requireDefaultStoreForParts();
            requireChosenDataSource();
            requireMethodProtection();
            requireRunningParts();
            return;
        }
        var unprotected = new ProtectionDemandFinder(beans, environment).find();
        if (unprotected.isEmpty()) {
            return;
        }
        if (!environment.getProperty("refrain.enabled", Boolean.class, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "refrain.enabled is false: nothing protects " + String.join(", ", unprotected)
                            + ". A retry runs their work again.");
            return;
        }
        refuse(unprotected);
    }

    private void refuse(List<String> unprotected) {
        String what = "Nothing would protect " + shortened(unprotected) + ": there is no store for their keys. ";
        if (StoreDataSourceChoice.of(beans, environment) instanceof StoreDataSourceChoice.Undecided undecided) {
            throw new RefrainStartException(
                    what + undecided.sentence(),
                    undecided.advice() + " To run without protection, set refrain.enabled=false.");
        }
        throw new RefrainStartException(
                what + "The starter's configuration of it is excluded, or comes before that of the DataSource.",
                "Remove RefrainAutoConfiguration from spring.autoconfigure.exclude, or define a Store and a Refrain bean. To run"
                        + " without protection, set refrain.enabled=false.");
    }

    private static String shortened(List<String> all) {
        String first = String.join(", ", all.subList(0, Math.min(NAMED, all.size())));
        return all.size() > NAMED ? first + " and " + (all.size() - NAMED) + " more" : first;
    }

    /** Refuses methods that ask for protection where the part of the starter that intercepts them is switched off or missing. */
    private void requireMethodProtection() {
        var methods = new ProtectionDemandFinder(beans, environment).methods();
        if (!methods.isEmpty() && !beans.containsBean("refrainMethods")) {
            throw new RefrainStartException(
                    "Nothing would protect " + shortened(methods)
                            + ": the starter's configuration that intercepts methods is excluded.",
                    "Remove RefrainMethodAutoConfiguration from spring.autoconfigure.exclude.");
        }
        requireInterception();
    }

    /** Refuses methods of beans that exist without the interceptor: Spring made them too early, or the application did. */
    private void requireInterception() {
        var advisor = beans.containsBean("refrainMethods") ? beans.getBean("refrainMethods") : null;
        if (advisor instanceof DefaultPointcutAdvisor pointcut
                && pointcut.getAdvice() instanceof ProtectedBeanMethods intercepted) {
            var missed = new ProtectionDemandFinder(beans, environment)
                    .methodsOfSingletons().stream()
                            .filter(method -> !intercepted.isProtected(method))
                            .toList();
            if (!missed.isEmpty()) {
                throw new RefrainStartException(
                        "Nothing would protect " + shortened(missed)
                                + ": Spring does not intercept the bean. It was created before the interceptors, registered as an"
                                + " object, or wrapped in a proxy by the application.",
                        "Define it as an ordinary bean that no post-processor needs, without a proxy of your own.");
            }
        }
    }

    /** Refuses flows, sagas and relays where all stores have names: they run on the default one. */
    private void requireDefaultStoreForParts() {
        var parts = new ProtectionDemandFinder(beans, environment).parts();
        beans.getBeanProvider(RefrainStores.class).ifAvailable(stores -> {
            if (!parts.isEmpty() && stores.byDefault().isEmpty()) {
                stores.require("", shortened(parts));
            }
        });
    }

    /**
     * Refuses flows, sagas and relays where the default store has no transactions, and warns of those that the starter leaves alone because
     * it knows no JDBC store. Tests that keep keys in memory run none of them.
     */
    private void requireRunningParts() {
        var parts = new ProtectionDemandFinder(beans, environment).parts();
        if (parts.isEmpty() || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, JdbcStore.class).length > 0) {
            return;
        }
        beans.getBeanProvider(RefrainStores.class).stream()
                .flatMap(stores -> stores.byDefault().stream())
                .flatMap(store -> store.store().stream())
                .filter(store -> !(store instanceof MemoryStore) && !StoreAbility.TRANSACTIONS.isIn(store))
                .findFirst()
                .ifPresent(store -> {
                    throw MissingTransactionsFailureAnalyzer.refusal(
                            shortened(parts), store.traits().name());
                });
        LOG.log(
                System.Logger.Level.WARNING,
                "Nothing of the starter runs " + String.join(", ", parts)
                        + ": no bean has the type JdbcStore. Declare JdbcStore as the return type of the store's bean method, or run them yourself.");
    }

    /** Refuses a setting that a store of the application's own does not follow. */
    private void requireChosenDataSource() {
        String named = environment.getProperty(StoreDataSourceChoice.PROPERTY, "");
        var store = beans.getBeanProvider(JdbcStore.class).getIfUnique();
        if (!named.isEmpty()
                && (store == null
                        || !beans.containsBean(named)
                        || !beans.getBean(named, DataSource.class).equals(store.dataSource()))) {
            throw new RefrainStartException(
                    StoreDataSourceChoice.PROPERTY + " is '" + named
                            + "', but the application defines a Store bean of its own, which is on another DataSource.",
                    "Remove the setting, or build the store on that DataSource.");
        }
    }
}
