package dev.refrain.spring;

import dev.refrain.store.Store;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Has every store wait until the database is initialised: Flyway refuses a schema that already has tables and no history, and
 * tables that Flyway or Liquibase creates from Refrain's files are there only after they ran.
 */
final class StoreInitializationDetector extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(Store.class, RefrainStores.class);
    }
}
