package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Work that moves its session to another database or schema, one that has tables of Refrain too: key, lock and outcome stay with the store. A
 * pool resets what {@code setCatalog} and {@code setSchema} changed, and not what a statement did.
 */
class MovedSessionTest {

    /** Ways to move a session. */
    enum SessionMove {
        USE {
            @Override
            void move(Connection connection, Databases databases) throws SQLException {
                execute(connection, "USE " + databases.other());
            }
        },
        SET_CATALOG {
            @Override
            void move(Connection connection, Databases databases) throws SQLException {
                connection.setCatalog(databases.other());
            }
        },
        SEARCH_PATH {
            @Override
            void move(Connection connection, Databases databases) throws SQLException {
                execute(connection, "SET search_path TO " + databases.other());
            }
        },
        SET_SCHEMA {
            @Override
            void move(Connection connection, Databases databases) throws SQLException {
                connection.setSchema(databases.other());
            }
        };

        abstract void move(Connection connection, Databases databases) throws SQLException;

        Databases databases() {
            if (this == SEARCH_PATH || this == SET_SCHEMA) {
                String url = PostgresServer.shared().freshDatabase();
                var source = TestDatabases.postgres(url);
                JdbcStore.on(source).close();
                new RawSql(source).execute("CREATE SCHEMA other");
                JdbcStore.on(TestDatabases.postgres(url + "&currentSchema=other"))
                        .close();
                return new Databases(url, source, "other");
            }
            assumeTrue(MariadbServer.isAvailable(), "no MariaDB for this platform");
            String url = MariadbServer.shared().freshDatabase();
            String other = MariadbServer.shared().freshDatabase();
            JdbcStore.on(MariadbServer.dataSource(other)).close();
            return new Databases(url, MariadbServer.dataSource(url), other.replaceFirst("^.*/([^/?]+)\\?.*$", "$1"));
        }
    }

    /** A database whose sessions may move to another one. */
    private record Databases(String url, DataSource source, String other) {

        HikariDataSource poolOfOne() {
            var config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(1);
            return new HikariDataSource(config);
        }

        long recordsElsewhere() {
            return new RawSql(source).number("SELECT count(*) FROM " + other + ".refrain_record");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keyOfWorkThatFailedAfterItMovedIsFree(SessionMove way) throws SQLException {
        var databases = way.databases();
        try (var pool = databases.poolOfOne();
                var pooled = storeOf(pool, databases);
                var elsewhere = JdbcStore.on(databases.source())) {
            var wish = claimRequest("k");
            try (var transaction = pooled.transactions().begin()) {
                record(transaction.tryClaim(wish), true);
                way.move(transaction.connection(), databases);
            }
            try (var twin = elsewhere.transactions().begin()) {
                assertThat(twin.tryClaim(retryOf(wish))).isInstanceOf(ClaimResponse.Acquired.class);
            }
            try (var again = pooled.transactions().begin()) {
                assertThat(again.tryClaim(retryOf(wish))).isInstanceOf(ClaimResponse.Acquired.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void outcomeOfWorkThatMovedIsInItsStoreAndReplayed(SessionMove way) throws SQLException {
        var databases = way.databases();
        try (var pool = databases.poolOfOne();
                var pooled = storeOf(pool, databases)) {
            for (String key : List.of("first", "on a session that may have stayed there")) {
                var wish = claimRequest(key);
                try (var transaction = pooled.transactions().begin()) {
                    var record = record(transaction.tryClaim(wish), true);
                    way.move(transaction.connection(), databases);
                    assertThat(transaction.completeAndCommit(wish, record, payload("paid")))
                            .isEqualTo(new RecordWriteResponse.Written());
                }
                try (var retry = pooled.transactions().begin()) {
                    assertThat(record(retry.tryClaim(retryOf(wish)), false).outcome())
                            .contains(payload("paid"));
                }
            }
            assertThat(databases.recordsElsewhere()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void failureThatIsKeptAfterTheWorkMovedIsInItsStore(SessionMove way) throws SQLException {
        var databases = way.databases();
        try (var pool = databases.poolOfOne();
                var pooled = storeOf(pool, databases)) {
            var wish = claimRequest("k");
            try (var transaction = pooled.transactions().begin()) {
                var record = record(transaction.tryClaim(wish), true);
                way.move(transaction.connection(), databases);
                transaction.rollbackWork();
                assertThat(transaction.completeAndCommit(wish, record, payload("failed")))
                        .isEqualTo(new RecordWriteResponse.Written());
            }
            assertThat(found(pooled, retryOf(wish)).outcome()).contains(payload("failed"));
            assertThat(databases.recordsElsewhere()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void phaseWhoseWorkMovedEndsInItsStore(SessionMove way) throws SQLException {
        var databases = way.databases();
        try (var pool = databases.poolOfOne();
                var pooled = storeOf(pool, databases)) {
            var flow = acquired(pooled, claimRequest("flow"));
            try (var phase = pooled.transactions().beginPhase()) {
                way.move(phase.connection(), databases);
                assertThat(phase.writeAndCommit(complete(flow.claim(), "done")))
                        .isEqualTo(new RecordWriteResponse.Written());
            }
            assertThat(found(pooled, retryOf(claimRequest("flow"))).outcome()).contains(payload("done"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void runInACallersTransactionThatMovedIsInItsStoreAndLeavesNoLock(SessionMove way) throws SQLException {
        var databases = way.databases();
        try (var store = JdbcStore.on(databases.source());
                var caller = databases.source().getConnection()) {
            caller.setAutoCommit(false);
            var kept = claimRequest("kept");
            var failed = claimRequest("failed");
            try (var transaction = store.transactions().join(caller)) {
                var record = record(transaction.tryClaim(kept), true);
                way.move(caller, databases);
                assertThat(transaction.complete(kept, record, payload("paid")))
                        .isEqualTo(new RecordWriteResponse.Written());
            }
            try (var transaction = store.transactions().join(caller)) {
                record(transaction.tryClaim(failed), true);
                transaction.rollbackWork();
            }
            caller.commit();
            try (var twin = store.transactions().begin()) {
                assertThat(twin.tryClaim(retryOf(failed))).isInstanceOf(ClaimResponse.Acquired.class);
            }
            assertThat(found(store, retryOf(kept)).outcome()).contains(payload("paid"));
            assertThat(databases.recordsElsewhere()).isZero();
        }
    }

    private static JdbcStore storeOf(DataSource pool, Databases databases) {
        return JdbcStore.builder(pool).dedicatedDataSource(databases.source()).build();
    }
}
