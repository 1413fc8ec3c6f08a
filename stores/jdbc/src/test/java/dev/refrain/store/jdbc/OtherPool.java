package dev.refrain.store.jdbc;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** Pools other than HikariCP, of one connection. */
enum OtherPool {
    TOMCAT {
        @Override
        OpenPool open(String url, Duration timeout) {
            var pool = new org.apache.tomcat.jdbc.pool.DataSource();
            pool.setUrl(url);
            pool.setDriverClassName("org.postgresql.Driver");
            pool.setMaxActive(1);
            pool.setInitialSize(0);
            pool.setMaxWait(Math.toIntExact(timeout.toMillis()));
            return new OpenPool(pool, pool::close);
        }
    },
    DBCP2 {
        @Override
        OpenPool open(String url, Duration timeout) {
            var pool = new BasicDataSource();
            pool.setUrl(url);
            pool.setMaxTotal(1);
            pool.setMaxWait(timeout);
            pool.setTestOnBorrow(false);
            return new OpenPool(pool, pool::close);
        }
    },
    C3P0 {
        @Override
        OpenPool open(String url, Duration timeout) {
            var pool = new ComboPooledDataSource();
            pool.setJdbcUrl(url);
            pool.setInitialPoolSize(1);
            pool.setMinPoolSize(1);
            pool.setMaxPoolSize(1);
            pool.setCheckoutTimeout(Math.toIntExact(timeout.toMillis()));
            return new OpenPool(pool, pool::close);
        }
    },
    AGROAL {
        @Override
        OpenPool open(String url, Duration timeout) throws SQLException {
            var pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(p -> p.maxSize(1)
                            .acquisitionTimeout(timeout)
                            .connectionFactoryConfiguration(c -> c.jdbcUrl(url))));
            return new OpenPool(pool, pool::close);
        }
    };

    abstract OpenPool open(String url, Duration timeout) throws SQLException;

    /** Ends a pool. */
    @FunctionalInterface
    interface PoolCloser {
        void close() throws SQLException;
    }

    record OpenPool(DataSource source, PoolCloser closer) implements AutoCloseable {

        @Override
        public void close() throws SQLException {
            closer.close();
        }
    }
}
