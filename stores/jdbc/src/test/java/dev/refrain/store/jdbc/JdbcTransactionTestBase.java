package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions on connections of JDBC, the same on every database; what every store promises of them is in its contract. */
abstract class JdbcTransactionTestBase {

    DataSource source;
    RawSql sql;
    JdbcStore store;

    abstract DataSource freshDatabase();

    @BeforeEach
    void open() {
        source = freshDatabase();
        sql = new RawSql(source);
        store = JdbcStore.on(source);
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
    }

    @AfterEach
    void close() {
        store.close();
    }

    static void pay(Connection connection, String id) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO payment VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    long payments() {
        return sql.number("SELECT count(*) FROM payment");
    }

    /** Enters, pays and settles; does not commit. */
    static ClaimRequest paid(StoreTransaction<Connection> transaction, ClaimRequest wish) throws SQLException {
        var record = record(transaction.tryClaim(wish), true);
        pay(transaction.connection(), wish.identity().key());
        assertThat(transaction.complete(wish, record, payload("paid"))).isEqualTo(new RecordWriteResponse.Written());
        return wish;
    }

    @Test
    void workThatFailedInTheDatabaseCanBeRolledBackAndItsOutcomeKept() {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            assertThatThrownBy(() -> pay(transaction.connection(), null, "no such column"))
                    .isInstanceOf(SQLException.class);
            transaction.rollbackWork();
            transaction.complete(wish, record, payload("failed"));
            transaction.commit();
        }

        assertThat(found(store, retryOf(wish)).outcome()).contains(payload("failed"));
    }

    private static void pay(Connection connection, String id, String column) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO payment (\"" + column + "\") VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    @Test
    void nothingIsLeftOfThePayloadsOfAnExpiredRecordThatWasReplaced() {
        var first = acquired(store, claimRequest("k"));
        store.write(List.of(complete(first.claim(), "old")));
        expireAll();

        var again = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            assertThat(record.id().value()).isEqualTo(again.nonce());
            assertThat(record.fence()).isEqualTo(1);
            transaction.complete(again, record, payload("new"));
            transaction.commit();
        }

        assertThat(found(store, claimRequest("k")).outcome()).contains(payload("new"));
        assertThat(sql.number(
                        "SELECT count(*) FROM refrain_payload WHERE record_id NOT IN (SELECT id FROM refrain_record)"))
                .isZero();
    }

    abstract void expireAll();

    @Test
    void runWithHundredsOfOthersInItIsRolledBackWhole() throws SQLException {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (var outer = store.transactions().join(connection)) {
                record(outer.tryClaim(claimRequest("outer")), true);
                for (int i = 0; i < 300; i++) {
                    try (var inner = store.transactions().join(connection)) {
                        paid(inner, claimRequest("inner-" + i));
                    }
                }
                outer.rollbackWork();
            }
            connection.commit();
        }

        assertThat(payments()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionGoesBackAsItCame(boolean autoCommit) throws SQLException {
        try (var one = source.getConnection();
                var pooled = JdbcStore.builder(StubDataSources.unreset(one))
                        .dedicatedDataSource(source)
                        .build()) {
            one.setAutoCommit(autoCommit);
            for (String key : List.of("k1", "k2")) {
                try (var transaction = pooled.transactions().begin()) {
                    paid(transaction, claimRequest(key));
                    transaction.commit();
                }
                assertThat(one.getAutoCommit()).isEqualTo(autoCommit);
            }
        }

        assertThat(payments()).isEqualTo(2);
    }

    @Test
    void connectionOfTheCallersIsNotClosed() throws SQLException {
        var wish = claimRequest("k");
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            pay(connection, "before");
            try (var transaction = store.transactions().join(connection)) {
                assertThat(transaction.connection()).isSameAs(connection);
                paid(transaction, wish);
                transaction.commit();
            }
            assertThat(connection.isClosed()).isFalse();
            assertThat(payments()).isZero();
            pay(connection, "after");
            connection.commit();
        }

        assertThat(payments()).isEqualTo(3);
        assertThat(found(store, retryOf(wish)).outcome()).contains(payload("paid"));
    }

    @Test
    void connectionInAutoCommitModeIsRefused() throws SQLException {
        try (var connection = source.getConnection()) {
            assertThatThrownBy(() -> store.transactions().join(connection))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }
}
