package dev.refrain.spring.test;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import dev.refrain.crash.CrashInjector;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/** Adds crash points to each {@code DataSource} bean, below the pool where that can still be done. */
final class CrashPointPostProcessor implements BeanPostProcessor {

    private static final boolean HIKARI_PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", CrashPointPostProcessor.class.getClassLoader());

    private final CrashInjector injector;
    private final List<AutoCloseable> pools = new CopyOnWriteArrayList<>();

    CrashPointPostProcessor(CrashInjector injector) {
        this.injector = injector;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof DataSource source)) {
            return bean;
        }
        if (HIKARI_PRESENT && HikariCrashPoints.addBelow(source, injector)) {
            pools.add((AutoCloseable) source);
            return bean;
        }
        return injector.wrap(source);
    }

    /** Closes the pools of a killed instance, so that its threads fail at once instead of waiting for a connection. */
    void closePools() throws Exception {
        for (var pool : pools) {
            pool.close();
        }
    }

    /** Uses HikariCP; loaded only if it is there. */
    private static final class HikariCrashPoints {

        /** Puts the crash points between pool and driver; false if the bean is no pool, or one that has connections already. */
        static boolean addBelow(DataSource source, CrashInjector injector) {
            if (!(source instanceof HikariDataSource pool) || pool.isRunning()) {
                return false;
            }
            var driver = driver(pool);
            driver.ifPresent(below -> pool.setDataSource(injector.wrap(below)));
            return driver.isPresent();
        }

        /** Returns the source that the pool would make of its settings, in the same order. */
        private static Optional<DataSource> driver(HikariDataSource pool) {
            if (pool.getDataSource() != null) {
                return Optional.of(pool.getDataSource());
            }
            if (pool.getDataSourceClassName() != null) {
                return Optional.of(ofClass(pool));
            }
            return Optional.ofNullable(pool.getJdbcUrl())
                    .map(url -> new DriverDataSource(
                            url,
                            pool.getDriverClassName(),
                            pool.getDataSourceProperties(),
                            pool.getUsername(),
                            pool.getPassword()));
        }

        private static DataSource ofClass(HikariDataSource pool) {
            try {
                var made = (DataSource)
                        ClassUtils.forName(pool.getDataSourceClassName(), HikariCrashPoints.class.getClassLoader())
                                .getDeclaredConstructor()
                                .newInstance();
                PropertyElf.setTargetFromProperties(made, pool.getDataSourceProperties());
                // Set beside a DataSource, the name would be ignored with a warning.
                pool.setDataSourceClassName(null);
                return made;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(
                        "Cannot create " + pool.getDataSourceClassName() + " for the pool " + pool.getPoolName() + ".",
                        e);
            }
        }
    }
}
