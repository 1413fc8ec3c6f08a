package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.postgresql.PostgresErrorTranslator;
import dev.refrain.store.jdbc.internal.record.ClaimScripts;
import dev.refrain.store.jdbc.internal.record.RecordRow;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The real failures of a real database: what may have happened, what cannot have, and what to do.
 */
class PostgresOutageTest {

    @Test
    void serverKilledInTheMiddleOfABatchLeavesTheEffectUnknownAndTheStoreComesBack() throws Exception {
        try (var server = PostgresServer.start()) {
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
                var session = new SqlSession(blocker, new SqlScriptLibrary(new PostgresDialect(), ""), "");
                session.runBatch(ClaimScripts.CLAIM, List.of(claimRequest("k1")), RecordRow::read);
                var running = threads.submit(() -> store.claim(claimRequests("k", 3)));
                await().until(() -> new RawSql(source).number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);

                server.killHard();

                assertThatThrownBy(() -> running.get(1, TimeUnit.MINUTES))
                        .cause()
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
                failsWith(Effect.NONE, true, () -> store.claim(claimRequests("k", 3)));

                server.restart();

                assertThat(store.claim(claimRequests("k", 3))).hasOnlyElementsOfType(ClaimResponse.Acquired.class);
                assertThat(store.write(List.of(complete(before.claim(), "done"))))
                        .isEqualTo(List.of(new RecordWriteResponse.Written()));
            }
        }
    }

    @Test
    void serverThatCannotBeReachedWasNotAsked() {
        failsWith(
                Effect.NONE,
                true,
                () -> JdbcStore.on(TestDatabases.postgres("jdbc:postgresql://localhost:1/nowhere?user=nobody")));
    }

    @Test
    void readOnlyDatabaseIsRefusedWithAdvice() {
        var source = TestDatabases.freshPostgres();
        try (var store = JdbcStore.on(source)) {
            var claimed = acquired(store, claimRequest("k"));
            var sql = new RawSql(source);
            sql.execute("ALTER DATABASE " + sql.text("SELECT current_database()")
                    + " SET default_transaction_read_only = on");
            reopenConnections(sql, store);

            assertThatThrownBy(() -> store.claim(claimRequests("other", 2)))
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.isTransient()).isFalse())
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e).hasMessageContaining("read-only"));
            failsWith(Effect.NONE, false, () -> store.write(List.of(complete(claimed.claim(), "done"))));
        }
    }

    @Test
    void fullDiskIsRefusedWithAdviceAndAfterItNothingIsMissing() throws Exception {
        try (var server = PostgresServer.start()) {
            var source = TestDatabases.postgres(server.freshDatabase());
            var sql = new RawSql(source);
            try (var store = JdbcStore.on(source)) {
                var disk = FullDisk.under("refrain_record", sql);
                reopenConnections(sql, store);

                assertThatThrownBy(() -> store.claim(claimRequests("k", 2)))
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                        .satisfies(e -> assertThat(e).hasMessageContaining("disk is full: make room"));

                disk.makeRoom();
                reopenConnections(sql, store);
                assertThat(store.claim(claimRequests("k", 2))).hasOnlyElementsOfType(ClaimResponse.Acquired.class);
            }
        }
    }

    /** The file of an empty table on a device that is always full: what is written to it is refused by the system itself. */
    private record FullDisk(Path file, Path aside) {

        static FullDisk under(String table, RawSql sql) throws IOException {
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
    void statementThatTakesTooLongDidNothing() throws SQLException {
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
            failsWith(
                    Effect.NONE,
                    true,
                    () -> store.find(List.of(claimRequest("k1").identity())));
            blocker.rollback();

            var wishes = claimRequests("k", 2);
            await().until(() ->
                    passes(() -> assertThat(store.claim(wishes)).hasOnlyElementsOfType(ClaimResponse.Acquired.class)));
        }
    }

    /** Only a database whose default is so makes a transaction fail that we could not see coming. */
    @Test
    void serialisationFailureDidNothingAndMayBeTriedAgain() throws SQLException {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var store = JdbcStore.on(source);
                var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(java.sql.Connection.TRANSACTION_SERIALIZABLE);
            var claimed = acquired(store, claimRequest("k"));
            var session = new SqlSession(connection, new SqlScriptLibrary(new PostgresDialect(), ""), "");
            session.runBatch(ClaimScripts.CLAIM, List.of(claimRequest("other")), RecordRow::read);
            var write = complete(claimed.claim(), "theirs");
            store.write(List.of(write));

            assertThatThrownBy(() ->
                            RecordWriter.write(session, List.of(complete(claimed.claim(), "ours")), new ArrayList<>()))
                    .isInstanceOf(SQLException.class)
                    .satisfies(e -> assertThat(new PostgresErrorTranslator().classify((SQLException) e))
                            .isEqualTo(SqlErrorTranslator.SqlErrorKind.TRY_AGAIN));
            connection.rollback();
        }
    }

    @Test
    void missingTableIsRefusedWithAdvice() {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var store = JdbcStore.on(source)) {
            new RawSql(source).execute("DROP TABLE refrain_record");

            assertThatThrownBy(() -> store.claim(claimRequests("k", 2)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("42P01")
                    .hasMessageContaining("refrain schema");
        }
    }

    @Test
    void endedSessionIsOpenedAgainBeforeItIsMissed() {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        try (var store = JdbcStore.on(source)) {
            acquired(store, claimRequest("k"));
            endConnections(new RawSql(source));

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

    private static void reopenConnections(RawSql sql, JdbcStore store) {
        endConnections(sql);
        await().until(() -> passes(() -> store.find(List.of(claimRequest("k").identity()))));
    }

    private static void endConnections(RawSql sql) {
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
    void storeWhoseConnectionHearsNothingCanBeClosed() throws Exception {
        String url = TestDatabases.emptiedPostgres();
        JdbcStore.on(TestDatabases.postgres(url)).close();
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var silent = JdbcStore.builder(TestDatabases.postgres(LossyProxy.through(url, proxy)))
                    .lockTimeout(Duration.ofSeconds(1))
                    .statementTimeout(Duration.ofSeconds(1))
                    .build();
            proxy.fallSilent();
            var asked =
                    threads.submit(() -> silent.find(List.of(claimRequest("k").identity())));
            var closed = threads.submit(silent::close);

            closed.get(1, TimeUnit.MINUTES);
            assertThatThrownBy(asked::get).hasCauseInstanceOf(StoreException.class);
        }
    }

    /** A reply that is under way is no lost one: nobody else may take the key meanwhile. */
    @Test
    void claimWhoseReplyIsSlowIsItsOwnersAlone() throws Exception {
        String url = TestDatabases.emptiedPostgres();
        try (var direct = JdbcStore.on(TestDatabases.postgres(url));
                var proxy = new LossyProxy(LossyProxy.port(url));
                var store = JdbcStore.on(TestDatabases.postgres(LossyProxy.through(url, proxy)));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            acquired(store, claimRequest("first"));
            var wish = claimRequest("k");
            proxy.delayReplies(Duration.ofMillis(500));
            var slow = threads.submit(() -> acquired(store, wish));
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            direct.find(List.of(wish.identity())).getFirst().isPresent());

            assertThat(claim(direct, retryOf(wish))).isInstanceOf(ClaimResponse.Found.class);
            var claim = slow.get(60, TimeUnit.SECONDS);
            assertThat(claim.fence()).isEqualTo(1);
            assertThat(store.write(List.of(complete(claim.claim(), "paid"))))
                    .containsExactly(new RecordWriteResponse.Written());
            assertThat(found(direct, retryOf(wish)).outcome()).contains(payload("paid"));
        }
    }
}
