package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.StagedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresOutboxTest extends JdbcOutboxTestBase {

    private String url;

    @Override
    DataSource database() {
        url = TestDatabases.emptiedPostgres();
        return TestDatabases.postgres(url);
    }

    /** To notify makes commits wait for one another: under load nobody has to be woken. */
    @Test
    void busyRelayIsNotNotified() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        var source = TestDatabases.postgres(url);
        try (var store = JdbcStore.on(source);
                var listening = store.outbox().subscribeToCommits(heard::add)) {
            var outbox = store.outbox();
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isEmpty();
            try (var connection = source.getConnection()) {
                connection.setAutoCommit(false);
                stage(connection, "t", store);
                assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("t");

                assertThat(outbox.leaseMessages(new MessageLeaseRequest("t", Duration.ofSeconds(9), 9, 9, 999)))
                        .hasSize(1);
                stage(connection, "t", store);
                stage(connection, "other", store);
                assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("other");

                new RawSql(source).execute("UPDATE refrain_outbox_watch SET awake_until = now()");
                stage(connection, "t", store);
                assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("t");

                // As after the database's clock was ahead for a moment, in which somebody looked.
                new RawSql(source).execute("UPDATE refrain_outbox_watch SET awake_until = now() + interval '1 day'");
                stage(connection, "t", store);
                assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("t");
            }
        }
    }

    private static void stage(Connection connection, String topic, JdbcStore store) throws SQLException {
        store.outbox()
                .stage(
                        connection,
                        new StagedMessage(
                                ExecutionEnvironment.system().newNonce(), topic, null, Payload.of(new byte[] {1})));
        connection.commit();
    }

    /** Four connections of the store, one that listens, two of the relay, and one for the application. */
    @Test
    void relayThatNeedsConnectionsWhichThePoolDoesNotHaveIsRefused() {
        try (var small = new HikariDataSource();
                var large = new HikariDataSource()) {
            small.setJdbcUrl(url);
            small.setMaximumPoolSize(7);
            large.setJdbcUrl(url);
            large.setMaximumPoolSize(8);
            try (var store = JdbcStore.on(small)) {
                assertThatThrownBy(() -> store.outbox().subscribeToCommits(topic -> {}))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining(
                                "Cannot start the relay: Refrain holds up to 7 connections, the pool has 7, 0 are left for the application");
            }
            try (var store = JdbcStore.on(large)) {
                store.outbox().subscribeToCommits(topic -> {}).close();
            }
        }
    }

    @Test
    void listenerWhoseConnectionIsLostComesBack() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        var source = TestDatabases.postgres(url);
        try (var store = JdbcStore.on(source);
                var listening = store.outbox().subscribeToCommits(heard::add)) {
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isEmpty();
            new RawSql(source)
                    .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isEmpty();
            try (var connection = source.getConnection()) {
                connection.setAutoCommit(false);
                stage(connection, "t", store);
                assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("t");
            }
        }
    }

    /** A lost lease of a handler did nothing; what may be sent has to be on the disk before. */
    @Test
    void leaseWaitsForTheDiskOnlyIfItHasToSurviveCrashes() throws Exception {
        var before = new SqlScriptLibrary(new PostgresDialect(), "")
                .named("outbox_lease")
                .statements()
                .getFirst();
        try (var connection = TestDatabases.postgres(url).getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int forgotten = 0; forgotten <= 1; forgotten++) {
                statement.execute(OutboxTakeQueryPlanTest.filled(before, "t", forgotten));
                try (var row = statement.executeQuery("SHOW synchronous_commit")) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getString(1)).isEqualTo(forgotten == 1 ? "off" : "on");
                }
                connection.rollback();
            }
        }
    }

    /** Whoever reads before it has the lock would see a front that is free, and take what is behind it. */
    @Test
    void concurrentTakeSeesWhatTheOtherTook() throws Exception {
        var source = TestDatabases.postgres(url);
        var take = new SqlScriptLibrary(new PostgresDialect(), "")
                .named("outbox_lease")
                .statements();
        try (var store = JdbcStore.builder(source)
                        .lockTimeout(Duration.ofSeconds(5))
                        .build();
                var connection = source.getConnection();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 10; i++) {
                store.outbox()
                        .stage(
                                connection,
                                new StagedMessage(
                                        ExecutionEnvironment.system().newNonce(), "t", "k", Payload.of(new byte[] {1
                                        })));
            }
            connection.commit();
            try (var statement = connection.createStatement()) {
                for (var step : take) {
                    statement.execute(OutboxTakeQueryPlanTest.filled(step, "t", 2));
                }
            }
            var second = threads.submit(
                    () -> store.outbox().leaseMessages(new MessageLeaseRequest("t", Duration.ofSeconds(9), 9, 9, 999)));
            await().until(() ->
                    new RawSql(source).number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
                            == 1);
            connection.commit();
            assertThat(second.get(1, TimeUnit.MINUTES)).isEmpty();
        }
    }
}
