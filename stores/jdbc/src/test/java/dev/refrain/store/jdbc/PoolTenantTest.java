package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.mchange.v2.c3p0.AbstractConnectionCustomizer;
import com.mchange.v2.c3p0.ComboPooledDataSource;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.servers.PostgresServer;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalPoolInterceptor;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.commons.dbcp2.DataSourceConnectionFactory;
import org.apache.commons.dbcp2.PoolableConnection;
import org.apache.commons.dbcp2.PoolableConnectionFactory;
import org.apache.commons.dbcp2.PoolingDataSource;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.tomcat.jdbc.pool.ConnectionPool;
import org.apache.tomcat.jdbc.pool.JdbcInterceptor;
import org.apache.tomcat.jdbc.pool.PooledConnection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool that gives each borrowed connection the tenant of its thread does so for every transactional run. */
class PoolTenantTest {

    private static final ThreadLocal<String> TENANT = ThreadLocal.withInitial(() -> "nobody");
    private static final int CONNECTIONS = 2;
    private static final int TENANTS = 8;
    private static final int ROWS = 15;

    /** Sets the tenant of the borrowing thread, as each pool lets an application do it. */
    private static void setTenant(Connection connection) throws SQLException {
        try (var set = connection.prepareStatement("SELECT set_config('app.tenant', ?, false)")) {
            set.setString(1, TENANT.get());
            set.execute();
        }
    }

    enum TenantPool {
        TOMCAT {
            @Override
            OtherPool.OpenPool open(String url) {
                var pool = new org.apache.tomcat.jdbc.pool.DataSource();
                pool.setUrl(url);
                pool.setDriverClassName("org.postgresql.Driver");
                pool.setMaxActive(CONNECTIONS);
                pool.setJdbcInterceptors(TomcatTenant.class.getName());
                return new OtherPool.OpenPool(pool, pool::close);
            }
        },
        DBCP2 {
            @Override
            OtherPool.OpenPool open(String url) {
                var connections =
                        new PoolableConnectionFactory(
                                new DataSourceConnectionFactory(TestDatabases.postgres(url)), null) {
                            @Override
                            public void activateObject(PooledObject<PoolableConnection> borrowed) throws SQLException {
                                super.activateObject(borrowed);
                                setTenant(borrowed.getObject());
                            }
                        };
                var objects = new GenericObjectPool<>(connections);
                objects.setMaxTotal(CONNECTIONS);
                connections.setPool(objects);
                return new OtherPool.OpenPool(new PoolingDataSource<>(objects), objects::close);
            }
        },
        C3P0 {
            @Override
            OtherPool.OpenPool open(String url) {
                var pool = new ComboPooledDataSource();
                pool.setJdbcUrl(url);
                pool.setInitialPoolSize(CONNECTIONS);
                pool.setMinPoolSize(CONNECTIONS);
                pool.setMaxPoolSize(CONNECTIONS);
                pool.setConnectionCustomizerClassName(C3p0Tenant.class.getName());
                return new OtherPool.OpenPool(pool, pool::close);
            }
        },
        AGROAL {
            @Override
            OtherPool.OpenPool open(String url) throws SQLException {
                var pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                        .connectionPoolConfiguration(p -> p.maxSize(CONNECTIONS)
                                .acquisitionTimeout(Duration.ofMinutes(1))
                                .connectionFactoryConfiguration(c -> c.jdbcUrl(url))));
                pool.setPoolInterceptors(List.of(new AgroalTenant()));
                return new OtherPool.OpenPool(pool, pool::close);
            }
        };

        abstract OtherPool.OpenPool open(String url) throws SQLException;
    }

    public static final class TomcatTenant extends JdbcInterceptor {
        @Override
        public void reset(ConnectionPool pool, PooledConnection borrowed) {
            if (borrowed != null) {
                try {
                    setTenant(borrowed.getConnection());
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    public static final class C3p0Tenant extends AbstractConnectionCustomizer {
        @Override
        public void onCheckOut(Connection borrowed, String token) throws SQLException {
            setTenant(borrowed);
        }
    }

    private static final class AgroalTenant implements AgroalPoolInterceptor {
        @Override
        public void onConnectionAcquire(Connection borrowed) {
            try {
                setTenant(borrowed);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyRowIsWrittenUnderItsOwnTenant(TenantPool kind) throws Exception {
        String url = PostgresServer.shared().freshDatabase();
        var sql = new RawSql(TestDatabases.postgres(url));
        sql.execute("CREATE TABLE written (caller text, tenant text)");
        try (var pool = kind.open(url);
                var store = JdbcStore.builder(pool.source())
                        .dedicatedDataSource(TestDatabases.postgres(url))
                        .build();
                var refrain = Refrain.using(store);
                var threads = Executors.newFixedThreadPool(TENANTS)) {
            var pay = refrain.operation("pay", String.class)
                    .storeTimeout(Duration.ofMinutes(2))
                    .transactional(store.transactions());
            var callers = IntStream.range(0, TENANTS)
                    .<Callable<Void>>mapToObj(caller -> () -> {
                        TENANT.set("tenant-" + caller);
                        for (int row = 0; row < ROWS; row++) {
                            pay.run(
                                    OperationCall.scope(TENANT.get())
                                            .key("key-" + row)
                                            .request("request"),
                                    (claim, connection) -> write(connection, TENANT.get()));
                        }
                        return null;
                    })
                    .toList();
            for (var caller : threads.invokeAll(callers)) {
                caller.get();
            }
        }
        assertThat(sql.number("SELECT count(*) FROM written WHERE caller <> tenant"))
                .isZero();
        assertThat(sql.number("SELECT count(*) FROM written")).isEqualTo(TENANTS * ROWS);
    }

    private static String write(Connection connection, String caller) throws SQLException {
        try (var insert =
                connection.prepareStatement("INSERT INTO written VALUES (?, current_setting('app.tenant'))")) {
            insert.setString(1, caller);
            insert.executeUpdate();
        }
        return "written";
    }
}
