package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.conflictingRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.WriteResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claim, work and outcome commit together, or none does. The same on every database. */
abstract class TransactionContract {

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
        assertThat(transaction.complete(wish, record, Optional.of(payload("paid"))))
                .isEqualTo(new WriteResponse.Written());
        return wish;
    }

    @Test
    void claimWorkAndOutcomeCommitTogether() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            paid(transaction, wish);
            transaction.commit();
        }

        assertThat(payments()).isEqualTo(1);
        var replay = found(store, retryOf(wish));
        assertThat(replay.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(replay.outcome()).contains(payload("paid"));
        assertThat(replay.id().value()).isEqualTo(wish.nonce());
        assertThat(replay.remainingLife().orElseThrow()).isBetween(Duration.ofHours(23), Duration.ofHours(24));
    }

    @Test
    void nothingIsLeftOfATransactionThatWasNotCommitted() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            paid(transaction, wish);
        }

        assertThat(payments()).isZero();
        assertThat(store.find(List.of(wish.identity())).getFirst()).isEmpty();
        assertThat(acquired(store, retryOf(wish)).fence()).isEqualTo(1);
    }

    @Test
    void aKeptFailureTakesTheWorkBackAndCommitsTheOutcome() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            transaction.rollbackWork();
            transaction.complete(wish, record, Optional.of(payload("declined")));
            transaction.commit();
        }

        assertThat(payments()).isZero();
        assertThat(found(store, retryOf(wish)).outcome()).contains(payload("declined"));
    }

    @Test
    void workThatFailedInTheDatabaseCanBeTakenBackAndItsOutcomeKept() {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            assertThatThrownBy(() -> pay(transaction.connection(), null, "no such column"))
                    .isInstanceOf(SQLException.class);
            transaction.rollbackWork();
            transaction.complete(wish, record, Optional.of(payload("failed")));
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
    void settlingAndCommittingCanBeOneStep() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            assertThat(transaction.completeAndCommit(wish, record, Optional.of(payload("paid"))))
                    .isEqualTo(new WriteResponse.Written());
        }
        var stateAlone = claimRequest("k2");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(stateAlone), true);
            pay(transaction.connection(), "k2");
            transaction.rollbackWork();
            transaction.completeAndCommit(stateAlone, record, Optional.empty());
        }

        assertThat(payments()).isEqualTo(1);
        assertThat(found(store, retryOf(wish)).outcome()).contains(payload("paid"));
        assertThat(found(store, retryOf(stateAlone)).outcome()).isEmpty();
    }

    @Test
    void whatIsThereIsFoundAndNotRun() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            paid(transaction, wish);
            transaction.commit();
        }

        try (var transaction = store.transactions().begin()) {
            assertThat(record(transaction.tryClaim(retryOf(wish)), false).outcome())
                    .contains(payload("paid"));
        }
        try (var transaction = store.transactions().begin()) {
            assertThat(record(transaction.tryClaim(conflictingRequest(wish)), false)
                            .fingerprint())
                    .contains(wish.fingerprint());
        }
    }

    @Test
    void aStateKeptAloneIsFoundWithoutAnOutcome() {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            transaction.complete(wish, record(transaction.tryClaim(wish), true), Optional.empty());
            transaction.commit();
        }

        assertThat(found(store, retryOf(wish)).outcome()).isEmpty();
    }

    @Test
    void aReleasedRecordIsContinuedUnderTheSameIdWithTheNextFence() {
        var first = acquired(store, claimRequest("k"));
        store.write(List.of(new RecordWrite.Release(first.claim())));

        var again = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            assertThat(record.id()).isEqualTo(first.id());
            assertThat(record.fence()).isEqualTo(2);
            assertThat(transaction.complete(again, record, Optional.of(payload("paid"))))
                    .isEqualTo(new WriteResponse.Written());
            transaction.commit();
        }

        var completed = found(store, claimRequest("k"));
        assertThat(completed.claim()).isEqualTo(new dev.refrain.api.ClaimRef(first.lookup(), first.id(), 2));
        assertThat(completed.outcome()).contains(payload("paid"));
        assertThat(store.write(List.of(complete(first.claim(), "late"))).getFirst())
                .isInstanceOf(WriteResponse.Refused.class);
    }

    @Test
    void anExpiredRecordIsReplacedByOneWithANewId() {
        var first = acquired(store, claimRequest("k"));
        store.write(List.of(complete(first.claim(), "old")));
        expireAll();

        var again = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            assertThat(record.id().value()).isEqualTo(again.nonce());
            assertThat(record.fence()).isEqualTo(1);
            transaction.complete(again, record, Optional.of(payload("new")));
            transaction.commit();
        }

        assertThat(found(store, claimRequest("k")).outcome()).contains(payload("new"));
        assertThat(sql.number(
                        "SELECT count(*) FROM refrain_payload WHERE record_id NOT IN (SELECT id FROM refrain_record)"))
                .isZero();
    }

    abstract void expireAll();

    @Test
    void aRunWithinAnotherDoesNotKeepItFromBeingTakenBack() throws SQLException {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (var outer = store.transactions().join(connection)) {
                record(outer.tryClaim(claimRequest("outer")), true);
                pay(connection, "debit");
                try (var inner = store.transactions().join(connection)) {
                    paid(inner, claimRequest("inner"));
                }
                outer.rollbackWork();
            }
            connection.commit();
        }

        assertThat(payments()).isZero();
        assertThat(store.find(List.of(claimRequest("inner").identity())).getFirst())
                .isEmpty();
    }

    @Test
    void aRunWithHundredsOfOthersInItIsTakenBackWhole() throws SQLException {
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
    void aConnectionGoesBackAsItCame(boolean autoCommit) throws SQLException {
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
    void whatContinuesAReleasedRecordIsKeptForAsLongAsTheWorkAsks() {
        var first = acquired(store, claimRequest("k"));
        store.write(List.of(new RecordWrite.Release(first.claim())));
        var forEver = ClaimRequest.of(
                claimRequest("k").identity(),
                claimRequest("k").fingerprint(),
                UUID.randomUUID(),
                Duration.ofMinutes(1),
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER);

        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(forEver), true);
            transaction.complete(forEver, record, Optional.of(payload("paid")));
            transaction.commit();
        }

        assertThat(found(store, claimRequest("k")).id()).isEqualTo(first.id());
        assertThat(found(store, claimRequest("k")).remainingLife()).isEmpty();
    }

    @Test
    void aRunningClaimIsInProgressAndAnAbandonedOneIsTakenOnlyIfItMayBe() {
        acquired(store, claimRequest("running"));
        acquired(store, claimRequest("abandoned", LeaseExpiryPolicy.RESUME, Duration.ofMillis(1)));
        acquired(store, claimRequest("held", LeaseExpiryPolicy.HOLD, Duration.ofMillis(1)));

        try (var transaction = store.transactions().begin()) {
            assertThat(record(transaction.tryClaim(claimRequest("running")), false)
                            .state())
                    .isEqualTo(RecordState.IN_PROGRESS);
        }
        try (var transaction = store.transactions().begin()) {
            var wish = claimRequest("abandoned");
            var record = record(transaction.tryClaim(wish), true);
            assertThat(record.fence()).isEqualTo(2);
            assertThat(transaction.complete(wish, record, Optional.empty())).isEqualTo(new WriteResponse.Written());
            transaction.commit();
        }
        try (var transaction = store.transactions().begin()) {
            assertThat(record(transaction.tryClaim(claimRequest("held")), false).state())
                    .isEqualTo(RecordState.IN_PROGRESS);
        }
    }

    @Test
    void aTransactionOfTheCallersIsNeitherCommittedNorRolledBackNorClosed() throws SQLException {
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
    void aConnectionInAutoCommitModeIsRefused() throws SQLException {
        try (var connection = source.getConnection()) {
            assertThatThrownBy(() -> store.transactions().join(connection))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void theCallersTransactionIsUsableWhateverWasFound() throws SQLException {
        var wish = claimRequest("k");
        acquired(store, wish);
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (var transaction = store.transactions().join(connection)) {
                assertThat(transaction.tryClaim(retryOf(wish))).isInstanceOf(ClaimResponse.Found.class);
            }
            pay(connection, "after");
            connection.commit();
        }

        assertThat(payments()).isEqualTo(1);
    }
}
