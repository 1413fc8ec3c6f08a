package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.Wishes.acquired;
import static dev.refrain.store.jdbc.Wishes.complete;
import static dev.refrain.store.jdbc.Wishes.claimRequest;
import static dev.refrain.store.jdbc.Wishes.claimRequests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.WriteAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The real failures of a real database: what may have happened, what cannot have, and what to do.
 */
class PostgresFailuresTest {

    @Test
    void aServerKilledInTheMiddleOfABatchLeavesTheEffectUnknownAndTheStoreComesBack() throws Exception {
        try (var server = PostgresServer.start()) {
            assumeThat(server.canBeKilled()).isTrue();
            String url = server.freshDatabase();
            var source = TestDatabases.postgres(url);
            try (var store = JdbcStore.builder(source)
                            .lockTimeout(Duration.ofSeconds(30))
                            .statementTimeout(Duration.ofSeconds(60))
                            .build();
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var before = acquired(store, claimRequest("before"));
                var blocker = source.getConnection();
                blocker.setAutoCommit(false);
                var session = new Session(blocker, new Scripts(new PostgresDialect(), ""), "");
                session.runBatch(Claiming.CLAIM, List.of(claimRequest("k1")), Seen::read);
                var running = threads.submit(() -> store.claim(claimRequests("k", 3)));
                await().until(() -> new Sql(source).number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);

                server.killHard();

                assertThatThrownBy(() -> running.get(10, TimeUnit.SECONDS))
                        .cause()
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
                failsWith(Effect.NONE, true, () -> store.claim(claimRequests("k", 3)));

                server.restart();

                assertThat(store.claim(claimRequests("k", 3))).hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
                assertThat(store.write(List.of(complete(before.claim(), "done"))))
                        .isEqualTo(List.of(new WriteAnswer.Written()));
            }
        }
    }

    @Test
    void aServerThatCannotBeReachedWasNotAsked() {
        failsWith(
                Effect.NONE,
                true,
                () -> JdbcStore.on(TestDatabases.postgres("jdbc:postgresql://localhost:1/nowhere?user=nobody")));
    }

    @Test
    void aReadOnlyDatabaseIsRefusedWithAdvice() {
        var source = TestDatabases.freshPostgres();
        try (var store = JdbcStore.on(source)) {
            var claimed = acquired(store, claimRequest("k"));
            var sql = new Sql(source);
            sql.execute("ALTER DATABASE " + sql.text("SELECT current_database()")
                    + " SET default_transaction_read_only = on");
            reopenLanes(sql, store);

            assertThatThrownBy(() -> store.claim(claimRequests("other", 2)))
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.isTransient()).isFalse())
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e).hasMessageContaining("read-only"));
            failsWith(Effect.NONE, false, () -> store.write(List.of(complete(claimed.claim(), "done"))));
        }
    }

    @Test
    void aFullDiskIsRefusedWithAdviceAndAfterItNothingIsMissing() throws Exception {
        try (var server = PostgresServer.start()) {
            assumeThat(server.canBeKilled()).isTrue();
            var source = TestDatabases.postgres(server.freshDatabase());
            var sql = new Sql(source);
            try (var store = JdbcStore.on(source)) {
                var disk = FullDisk.under("refrain_record", sql);
                reopenLanes(sql, store);

                assertThatThrownBy(() -> store.claim(claimRequests("k", 2)))
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                        .satisfies(e -> assertThat(e).hasMessageContaining("disk is full: make room"));

                disk.makeRoom();
                reopenLanes(sql, store);
                assertThat(store.claim(claimRequests("k", 2))).hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
            }
        }
    }

    /** The file of an empty table on a device that is always full: what is written to it is refused by the system itself. */
    private record FullDisk(Path file, Path aside) {

        static FullDisk under(String table, Sql sql) throws IOException {
            sql.execute("CHECKPOINT");
            var file =
                    Path.of(sql.text("SHOW data_directory"), sql.text("SELECT pg_relation_filepath('" + table + "')"));
            var disk = new FullDisk(file, file.resolveSibling("aside"));
            Files.move(file, disk.aside);
            Files.createSymbolicLink(file, Path.of("/dev/full"));
            return disk;
        }

        void makeRoom() throws IOException {
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void aStatementThatTakesTooLongDidNothing() throws SQLException {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        JdbcStore.on(source).close();
        try (var store = JdbcStore.builder(source)
                        .lockTimeout(Duration.ofSeconds(1))
                        .statementTimeout(Duration.ofSeconds(1))
                        .build();
                var blocker = source.getConnection()) {
            blocker.setAutoCommit(false);
            try (var statement = blocker.createStatement()) {
                statement.execute("LOCK TABLE refrain_record");
            }
            failsWith(Effect.NONE, true, () -> store.claim(claimRequests("k", 2)));
            failsWith(Effect.NONE, true, () -> store.find(List.of(claimRequest("k1").identity())));
            blocker.rollback();

            var wishes = claimRequests("k", 2);
            await().until(() ->
                    passes(() -> assertThat(store.claim(wishes)).hasOnlyElementsOfType(ClaimAnswer.Acquired.class)));
        }
    }

    /** Only a database whose default is so makes a transaction fail that we could not see coming. */
    @Test
    void aSerialisationFailureDidNothingAndMayBeTriedAgain() throws SQLException {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var store = JdbcStore.on(source);
                var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(java.sql.Connection.TRANSACTION_SERIALIZABLE);
            var claimed = acquired(store, claimRequest("k"));
            var session = new Session(connection, new Scripts(new PostgresDialect(), ""), "");
            session.runBatch(Claiming.CLAIM, List.of(claimRequest("other")), Seen::read);
            var write = complete(claimed.claim(), "theirs");
            store.write(List.of(write));

            assertThatThrownBy(() -> Writing.write(session, List.of(complete(claimed.claim(), "ours"))))
                    .isInstanceOf(SQLException.class)
                    .satisfies(e -> assertThat(new PostgresFailures().classify((SQLException) e))
                            .isEqualTo(Failures.Meaning.TRY_AGAIN));
            connection.rollback();
        }
    }

    @Test
    void aMissingTableIsRefusedWithAdvice() {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var store = JdbcStore.on(source)) {
            new Sql(source).execute("DROP TABLE refrain_record");

            assertThatThrownBy(() -> store.claim(claimRequests("k", 2)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("42P01")
                    .hasMessageContaining("refrain schema");
        }
    }

    @Test
    void anEndedSessionIsOpenedAgainBeforeItIsMissed() {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var store = JdbcStore.on(source)) {
            acquired(store, claimRequest("k"));
            endLanes(new Sql(source));

            await().until(() -> passes(() -> store.claim(claimRequests("k", 2))));
        }
    }

    private static boolean passes(ThrowingCallable ask) {
        try {
            ask.call();
            return true;
        } catch (Throwable e) {
            assertThat(e).isInstanceOf(StoreException.class);
            return false;
        }
    }

    private static void reopenLanes(Sql sql, JdbcStore store) {
        endLanes(sql);
        await().until(() -> passes(() -> store.find(List.of(claimRequest("k").identity()))));
    }

    private static void endLanes(Sql sql) {
        sql.text("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    private static void failsWith(Effect effect, boolean passing, ThrowingCallable ask) {
        assertThatThrownBy(ask)
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(effect))
                .satisfies(e -> assertThat(e.isTransient()).isEqualTo(passing));
    }

    @Test
    void aStoreWhoseLaneHearsNothingCanBeClosed() throws Exception {
        String url = TestDatabases.emptiedPostgres();
        JdbcStore.on(TestDatabases.postgres(url)).close();
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var silent = JdbcStore.builder(TestDatabases.postgres(LossyProxy.through(url, proxy)))
                    .lockTimeout(Duration.ofSeconds(1))
                    .statementTimeout(Duration.ofSeconds(1))
                    .build();
            proxy.fallSilent();
            var asked = threads.submit(() -> silent.find(List.of(claimRequest("k").identity())));
            var closed = threads.submit(silent::close);

            closed.get(20, TimeUnit.SECONDS);
            assertThatThrownBy(asked::get).hasCauseInstanceOf(StoreException.class);
        }
    }
}
