package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.conflictingRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static dev.refrain.store.jdbc.JdbcTransactionTestBase.paid;
import static dev.refrain.store.jdbc.JdbcTransactionTestBase.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs above READ COMMITTED: they find the record of their key as it is, however old their snapshot. */
@ParameterizedClass
@ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
class FrozenSnapshotTest extends PostgresTestBase {

    @Parameter
    int isolation;

    private final ClaimRequest wish = claimRequest("k");

    @BeforeEach
    void table() {
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
    }

    private long payments() {
        return sql.number("SELECT count(*) FROM payment");
    }

    /** Begins a transaction of a caller, with a snapshot of this moment. */
    private Connection old() throws SQLException {
        var connection = source.getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(isolation);
        try (var look = connection.createStatement()) {
            look.execute("SELECT 1 FROM pg_class LIMIT 1");
        }
        return connection;
    }

    /** Pools whose connections are at this isolation level, as an application may configure them. */
    private JdbcStore atIsolation() {
        return JdbcStore.builder(StubDataSources.of(() -> {
                    var connection = source.getConnection();
                    connection.setTransactionIsolation(isolation);
                    return connection;
                }))
                .dedicatedDataSource(source)
                .build();
    }

    @Test
    void recordThatNeedsAPersonIsFoundAsSuch() throws SQLException {
        try (var connection = old()) {
            var claim = acquired(store, wish).claim();
            store.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));

            try (var transaction = store.transactions().join(connection)) {
                assertThat(record(transaction.tryClaim(retryOf(wish)), false).state())
                        .isEqualTo(RecordState.ATTENTION);
            }
        }
    }

    @Test
    void leasedTwinInProgressIsFound() throws SQLException {
        try (var connection = old()) {
            acquired(store, wish);

            try (var transaction = store.transactions().join(connection)) {
                assertThat(record(transaction.tryClaim(retryOf(wish)), false).state())
                        .isEqualTo(RecordState.IN_PROGRESS);
            }
        }
    }

    @Test
    void anotherRequestUnderTheKeyIsFoundAsMismatch() throws SQLException {
        try (var connection = old()) {
            try (var twin = store.transactions().begin()) {
                paid(twin, wish);
                twin.commit();
            }
            var other = conflictingRequest(wish);

            try (var transaction = store.transactions().join(connection)) {
                var there = record(transaction.tryClaim(other), false);
                assertThat(there.fingerprint().orElseThrow()).isEqualTo(wish.fingerprint());
            }
        }
        assertThat(payments()).isEqualTo(1);
    }

    /** Whoever holds the lock may only be reading, and what is done is answered all the same. */
    @Test
    void outcomeThatASnapshotMissesIsAnsweredWhileAnotherReaderHasTheLock() throws SQLException {
        try (var connection = old();
                var reader = store.transactions().begin()) {
            var claim = acquired(store, wish).claim();
            store.write(List.of(complete(claim, "paid")));
            found(reader.tryClaim(retryOf(wish)));

            try (var transaction = store.transactions().join(connection)) {
                found(transaction.tryClaim(retryOf(wish)));
            }
        }
    }

    private static void found(ClaimResponse answer) {
        assertThat(record(answer, false).outcome()).contains(payload("paid"));
    }

    @Test
    void twinThatHoldsTheLockIsBusy() throws SQLException {
        try (var connection = old();
                var twin = store.transactions().begin()) {
            paid(twin, wish);

            try (var transaction = store.transactions().join(connection)) {
                assertThat(transaction.tryClaim(retryOf(wish))).isEqualTo(new ClaimResponse.LockedByTransaction());
            }
        }
    }

    @Test
    void expiredRecordIsReplacedByANewOne() {
        var first = acquired(store, wish);
        store.write(List.of(complete(first.claim(), "old")));
        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 second'");
        var again = retryOf(wish);

        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            assertThat(record.id()).isNotEqualTo(first.id());
            assertThat(transaction.completeAndCommit(again, record, payload("new")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }

        assertThat(ClaimRequestFixtures.found(store, retryOf(wish)).outcome()).contains(payload("new"));
        assertThat(sql.number("SELECT count(*) FROM refrain_payload")).isZero();
    }

    @Test
    void reaperDoesNotMeetAnExpiredRecordWhileItsSuccessorRuns() throws SQLException {
        var first = acquired(store, wish);
        store.write(List.of(complete(first.claim(), "old")));
        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 second'");
        var again = retryOf(wish);

        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            pay(transaction.connection(), "k");
            store.reap(10);
            assertThat(transaction.completeAndCommit(again, record, payload("new")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }

        assertThat(ClaimRequestFixtures.found(store, retryOf(wish)).outcome()).contains(payload("new"));
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void releasedRecordIsContinuedUnderItsId() {
        var first = acquired(store, wish);
        store.write(List.of(new RecordWrite.Release(first.claim())));
        var again = retryOf(wish);

        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            assertThat(record.id()).isEqualTo(first.id());
            assertThat(record.fence()).isEqualTo(first.fence() + 1);
            assertThat(transaction.completeAndCommit(again, record, payload("paid")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }

        assertThat(ClaimRequestFixtures.found(store, retryOf(wish)).id()).isEqualTo(first.id());
    }

    @Test
    void recordWhoseLeaseIsOverIsTakenOver() {
        var first = acquired(store, claimRequest("k", LeaseExpiryPolicy.RESUME, GONE));
        sql.execute("UPDATE refrain_record SET lease_until = now() - interval '1 second'");
        var again = retryOf(wish);

        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(again), true);
            assertThat(record.id()).isEqualTo(first.id());
            assertThat(transaction.completeAndCommit(again, record, payload("paid")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }

        assertThat(ClaimRequestFixtures.found(store, retryOf(wish)).fence()).isEqualTo(first.fence() + 1);
    }

    /** Its row cannot be changed by a snapshot that does not see it: nothing of the work is kept, and a new transaction can do it. */
    @Test
    void recordReleasedAfterTheSnapshotIsNotDoneTwice() throws SQLException {
        try (var connection = old()) {
            pay(connection, "the caller's own");
            var first = acquired(store, wish);
            store.write(List.of(new RecordWrite.Release(first.claim())));
            var again = retryOf(wish);

            try (var transaction = store.transactions().join(connection)) {
                assertThatThrownBy(() -> {
                            var record = record(transaction.tryClaim(again), true);
                            pay(connection, "k");
                            transaction.complete(again, record, payload("paid"));
                        })
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                        .satisfies(e -> assertThat(e.isTransient()).isTrue());
            }
            connection.commit();
        }
        assertThat(sql.text("SELECT string_agg(id, ',') FROM payment")).isEqualTo("the caller's own");

        try (var transaction = atIsolation().transactions().begin()) {
            paid(transaction, retryOf(wish));
            transaction.commit();
        }
        assertThat(payments()).isEqualTo(2);
    }

    /** Claimed by a connection of the store after the read, so nobody but the database itself can see the conflict. */
    @Test
    void leasedTwinThatClaimsWhileTheWorkRunsWins() throws SQLException {
        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            var twin = acquired(store, retryOf(wish));

            assertThat(transaction.completeAndCommit(wish, record, payload("paid")))
                    .asInstanceOf(type(RecordWriteResponse.Refused.class))
                    .satisfies(
                            r -> assertThat(r.current().orElseThrow().claim()).isEqualTo(twin.claim()));
        }
        assertThat(payments()).isZero();
    }

    /** What this transaction itself wrote is seen by nobody else. */
    @Test
    void sameKeyTwiceInOneTransactionIsDoneOnce() throws SQLException {
        try (var connection = old()) {
            try (var first = store.transactions().join(connection)) {
                paid(first, wish);
            }
            try (var second = store.transactions().join(connection)) {
                assertThat(record(second.tryClaim(retryOf(wish)), false).outcome())
                        .contains(payload("paid"));
            }
            connection.commit();
        }
        assertThat(payments()).isEqualTo(1);
    }

    /** Notes of keys have a bound; beyond it every key may be one of this transaction's. */
    @Test
    void sameKeyTwiceInATransactionOfVeryManyKeysIsDoneOnce() throws SQLException {
        try (var connection = old()) {
            try (var many = connection.createStatement()) {
                many.execute("SELECT set_config('refrain.written', repeat('x', 20001), true)");
            }
            for (var key : List.of(wish, claimRequest("another"))) {
                try (var first = store.transactions().join(connection)) {
                    paid(first, key);
                }
            }
            try (var second = store.transactions().join(connection)) {
                assertThat(record(second.tryClaim(retryOf(wish)), false).outcome())
                        .contains(payload("paid"));
            }
            connection.commit();
        }
        assertThat(payments()).isEqualTo(2);
    }

    @Test
    void keyWhoseRunTheCallerTookBackRunsAgainInTheSameTransaction() throws SQLException {
        try (var connection = old()) {
            var before = connection.setSavepoint();
            try (var first = store.transactions().join(connection)) {
                paid(first, wish);
            }
            connection.rollback(before);
            try (var second = store.transactions().join(connection)) {
                paid(second, retryOf(wish));
            }
            connection.commit();
        }
        assertThat(payments()).isEqualTo(1);
        assertThat(sql.number("SELECT count(*) FROM refrain_record")).isEqualTo(1);
    }

    @Test
    void failureOfWorkIsKeptWithoutItsWrites() throws SQLException {
        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            transaction.rollbackWork();
            assertThat(transaction.completeAndCommit(wish, record, payload("failed")))
                    .isEqualTo(new RecordWriteResponse.Written());
        }
        assertThat(payments()).isZero();
        assertThat(ClaimRequestFixtures.found(store, retryOf(wish)).outcome()).contains(payload("failed"));
    }

    @Test
    void twinThatRunsWhileFailedWorkIsRolledBackHasTheKey() throws SQLException {
        try (var above = atIsolation();
                var transaction = above.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            transaction.rollbackWork();
            try (var twin = store.transactions().begin()) {
                paid(twin, retryOf(wish));
                twin.commit();
            }
            assertThat(transaction.complete(wish, record, payload("failed")))
                    .isInstanceOf(RecordWriteResponse.Refused.class);
        }
        assertThat(payments()).isEqualTo(1);
    }
}
