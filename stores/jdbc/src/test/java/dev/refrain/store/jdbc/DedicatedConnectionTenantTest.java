package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool may choose a database by its thread's tenant. Connections of the store's own stay where they were, also when they are lost and reopened. */
class DedicatedConnectionTenantTest {

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    private final DataSource home =
            TestDatabases.postgres(PostgresServer.shared().freshDatabase());
    private final DataSource tenants =
            TestDatabases.postgres(PostgresServer.shared().freshDatabase());
    private final RawSql atHome = new RawSql(home);
    private JdbcStore store;

    @BeforeEach
    void open() {
        JdbcStore.on(tenants).close();
        store = JdbcStore.on(StubDataSources.of(
                () -> (TENANT.get() == null && INHERITED.get() == null ? home : tenants).getConnection()));
    }

    @AfterEach
    void close() {
        TENANT.remove();
        INHERITED.remove();
        store.close();
    }

    @Test
    void lostConnectionIsReopenedWithoutTheTenantOfTheCaller() {
        TENANT.set("a");
        loseConnections();

        claimOne();

        assertThat(atHome.number("SELECT count(*) FROM refrain_record")).isOne();
        assertThat(store.countKeys("tenant", 10)).isOne();
    }

    @Test
    void lostConnectionIsReopenedWithoutAnythingThatThreadsInherit() {
        INHERITED.set("a");
        loseConnections();

        claimOne();

        assertThat(atHome.number("SELECT count(*) FROM refrain_record")).isOne();
        assertThat(store.countKeys("tenant", 10)).isOne();
    }

    /** A store may be made by the first request. */
    @Test
    void tablesAreThoseOfNoTenantAlsoIfATenantsThreadBuildsTheStore() {
        store.claim(List.of(claimRequest("k")));
        atHome.execute("CREATE SCHEMA tenant_a");
        TENANT.set("a");

        try (var byTenant = JdbcStore.on(StubDataSources.of(this::inSchemaOfTenant))) {
            assertThat(byTenant.find(List.of(claimRequest("k").identity())).getFirst())
                    .isPresent();
        }
        assertThat(atHome.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'tenant_a'"))
                .isZero();
    }

    private Connection inSchemaOfTenant() throws SQLException {
        var connection = home.getConnection();
        if (TENANT.get() != null) {
            connection.setSchema("tenant_" + TENANT.get());
        }
        return connection;
    }

    /** The first call after the loss may be told of it. */
    private void claimOne() {
        var keys = new AtomicInteger();
        Awaitility.await()
                .ignoreExceptionsInstanceOf(StoreException.class)
                .until(
                        () -> store.claim(List.of(claimRequest("key-" + keys.incrementAndGet()))),
                        answers -> answers.size() == 1);
    }

    private void loseConnections() {
        atHome.text("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }
}
