package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.servers.LossyProxy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.record.OperationNames;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.CallWatchdog;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue;
import dev.refrain.store.jdbc.internal.transaction.JoinedTransaction;
import dev.refrain.store.jdbc.internal.transaction.OperationNameIds;
import dev.refrain.store.jdbc.internal.transaction.PooledTransaction;
import dev.refrain.store.jdbc.internal.transaction.StandaloneTransaction;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresTransactionsTest extends JdbcTransactionTestBase {

    /** Nothing is named here: claims of unknown origin. */
    private static final OperationNameIds NO_NAMES = new OperationNameIds(new OperationNames(), question -> {});

    private static final int RACES = 15;

    private final String url = TestDatabases.emptiedPostgres();

    @Override
    DataSource freshDatabase() {
        return TestDatabases.postgres(url);
    }

    @Override
    void expireAll() {
        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 second'");
    }

    @Test
    void twinIsBusyWithoutWaiting() throws SQLException {
        var wish = claimRequest("k");
        try (var first = store.transactions().begin();
                var second = store.transactions().begin()) {
            paid(first, wish);
            assertThat(second.tryClaim(retryOf(wish))).isEqualTo(new ClaimResponse.LockedByTransaction());
            first.commit();
        }
        try (var third = store.transactions().begin()) {
            assertThat(record(third.tryClaim(retryOf(wish)), false).outcome()).contains(payload("paid"));
        }
    }

    @Test
    void transactionWhoseRecordWasClaimedMeanwhileIsRefused() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            var other = acquired(store, retryOf(wish));
            assertThat(other.fence()).isEqualTo(1);
            assertThat(transaction.complete(wish, record, payload("paid")))
                    .isInstanceOf(RecordWriteResponse.Refused.class);
        }

        assertThat(payments()).isZero();
        assertThat(found(store, retryOf(wish)).state()).isEqualTo(RecordState.IN_PROGRESS);
    }

    /** Twins race through transactions of their own: one pays, the others find or are told to come back. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void racingTwinsHaveOneEffectAtAnyIsolationLevel(int isolation) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int race = 0; race < RACES; race++) {
                var wish = claimRequest("race-" + race);
                var barrier = new CyclicBarrier(4);
                var runs = new ArrayList<Future<String>>();
                for (int i = 0; i < 4; i++) {
                    runs.add(threads.submit(racer(wish, isolation, barrier)));
                }
                for (var run : runs) {
                    run.get();
                }
                retryUntilDone(wish, isolation);
            }
        }

        assertThat(payments()).isEqualTo(RACES);
        assertThat(sql.number("SELECT count(DISTINCT id) FROM payment")).isEqualTo(RACES);
    }

    private Callable<String> racer(ClaimRequest wish, int isolation, CyclicBarrier barrier) {
        return () -> {
            try (var connection = source.getConnection()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(isolation);
                barrier.await();
                return run(connection, retryOf(wish));
            }
        };
    }

    /** As a caller would: commits what was settled, rolls back anything else. */
    private String run(Connection connection, ClaimRequest wish) throws SQLException {
        try (var transaction = store.transactions().join(connection)) {
            var answer = transaction.tryClaim(wish);
            if (answer instanceof ClaimResponse.Acquired acquired) {
                pay(connection, wish.identity().key());
                if (transaction.complete(wish, acquired.record(), payload("paid"))
                        instanceof RecordWriteResponse.Written) {
                    connection.commit();
                    return "paid";
                }
            }
            connection.rollback();
            return answer.toString();
        } catch (StoreException e) {
            assertThat(e.effect()).isEqualTo(Effect.NONE);
            connection.rollback();
            return e.toString();
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("40001");
            connection.rollback();
            return e.toString();
        }
    }

    private void retryUntilDone(ClaimRequest wish, int isolation) throws Exception {
        while (store.find(List.of(wish.identity())).getFirst().isEmpty()) {
            racer(wish, isolation, new CyclicBarrier(1)).call();
        }
    }

    /** The snapshot is older than the twin's commit, and the lock is free: only a look outside tells. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void oldSnapshotDoesNotHideWhatATwinCommitted(int isolation) throws SQLException {
        var wish = claimRequest("k");
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            try (var look = connection.createStatement()) {
                look.execute("SELECT count(*) FROM payment");
            }
            try (var twin = store.transactions().begin()) {
                paid(twin, retryOf(wish));
                twin.commit();
            }

            try (var transaction = store.transactions().join(connection)) {
                assertThat(record(transaction.tryClaim(wish), false).outcome()).contains(payload("paid"));
            }
            pay(connection, "the caller's own");
            connection.commit();
        }

        assertThat(payments()).isEqualTo(2);
    }

    /** Claimed by a connection of the store after the snapshot, so nobody but the database itself can see the conflict. */
    @Test
    void conflictThatCannotBeSeenFailsAndLeavesTheCallersTransactionUsable() throws SQLException {
        var wish = claimRequest("k");
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            pay(connection, "the caller's own");
            try (var transaction = store.transactions().join(connection)) {
                var record = record(transaction.tryClaim(wish), true);
                pay(connection, "k");
                acquired(store, retryOf(wish));
                assertThatThrownBy(() -> transaction.complete(wish, record, payload("paid")))
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                        .satisfies(e -> assertThat(e.isTransient()).isTrue());
            }
            connection.commit();
        }

        assertThat(sql.text("SELECT string_agg(id, ',') FROM payment")).isEqualTo("the caller's own");
    }

    @Test
    void workThatSwallowedAFailureFailsAndNothingIsKept() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            try (var broken = transaction.connection().createStatement()) {
                assertThatThrownBy(() -> broken.execute("SELECT no_such_thing")).isInstanceOf(SQLException.class);
            }
            assertThatThrownBy(() -> transaction.complete(wish, record, null))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("let its exception out");
        }

        assertThat(store.find(List.of(wish.identity())).getFirst()).isEmpty();
    }

    @Test
    void wholeRunTakesOneRoundTripMoreThanItsWorkAlone() throws SQLException {
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var connection =
                        TestDatabases.postgres(LossyProxy.through(url, proxy)).getConnection()) {
            for (int i = 0; i < 20; i++) {
                var wish = claimRequest("k" + i);
                var transaction = own(connection);
                int before = proxy.sent();
                var record = record(transaction.tryClaim(wish), true);
                pay(connection, "k" + i);
                assertThat(transaction.completeAndCommit(wish, record, payload("paid")))
                        .isEqualTo(new RecordWriteResponse.Written());
                assertThat(proxy.sent() - before).isEqualTo(3);
            }
        }
        assertThat(payments()).isEqualTo(20);
    }

    @Test
    void partOfTheCallersTransactionTakesThreeRoundTrips() throws SQLException {
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var connection =
                        TestDatabases.postgres(LossyProxy.through(url, proxy)).getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 20; i++) {
                var wish = claimRequest("k" + i);
                var transaction = new JoinedTransaction(
                        request -> store.find(List.of(request.identity())).getFirst(),
                        NO_NAMES,
                        session(connection),
                        new CallWatchdog(new PostgresDialect()),
                        new TransactionLimits(Duration.ofMinutes(1), Duration.ofMinutes(1)));
                int before = proxy.sent();
                transaction.complete(wish, record(transaction.tryClaim(wish), true), payload("paid"));
                assertThat(proxy.sent() - before).isEqualTo(3);
                connection.commit();
            }
        }
    }

    private StandaloneTransaction own(Connection connection) {
        var dialect = new PostgresDialect();
        var queue = new ConnectionWaitQueue(
                ConnectionWaitQueue.Rules.NO_QUEUE,
                () -> ConnectionWaitQueue.TransactionSession.fromPool(
                        PooledTransaction.begin(connection, dialect, JdbcTimeouts.DEFAULT),
                        session(connection),
                        System.nanoTime()),
                System::nanoTime);
        return new StandaloneTransaction(
                request -> store.find(List.of(request.identity())).getFirst(),
                NO_NAMES,
                queue,
                dialect,
                JdbcTimeouts.DEFAULT,
                WaiterWakeup.NONE,
                new CallWatchdog(dialect),
                new TransactionLimits(Duration.ofMinutes(1), Duration.ofMinutes(10)));
    }

    private static SqlSession session(Connection connection) {
        return new SqlSession(connection, new SqlScriptLibrary(new PostgresDialect(), ""), "");
    }

    @Test
    void settlingAndCommittingAtOnceIsRefusedIfSomeoneElseClaimed() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            var other = acquired(store, retryOf(wish));

            assertThat(transaction.completeAndCommit(wish, record, payload("paid")))
                    .asInstanceOf(type(RecordWriteResponse.Refused.class))
                    .satisfies(
                            r -> assertThat(r.current().orElseThrow().claim()).isEqualTo(other.claim()));
        }
        assertThat(payments()).isZero();
    }

    /** It looks like a record that is already there, and is not one. */
    @Test
    void constraintThatTheWorkDeferredIsNotTakenForSomeoneElsesClaim() throws SQLException {
        sql.execute("ALTER TABLE payment ADD UNIQUE (id) DEFERRABLE INITIALLY DEFERRED");
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "twice");
            pay(transaction.connection(), "twice");

            assertThatThrownBy(() -> transaction.completeAndCommit(wish, record, payload("paid")))
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e.isTransient()).isFalse());
        }
        assertThat(payments()).isZero();
        assertThat(store.find(List.of(wish.identity())).getFirst()).isEmpty();
    }

    @Test
    void twinThatRunsWhileFailedWorkIsRolledBackHasTheKey() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            transaction.rollbackWork();
            try (var twin = store.transactions().begin()) {
                paid(twin, retryOf(wish));
                twin.commit();
            }

            assertThat(transaction.completeAndCommit(wish, record, payload("failed")))
                    .isInstanceOf(RecordWriteResponse.Refused.class);
        }
        assertThat(payments()).isEqualTo(1);
        assertThat(found(store, retryOf(wish)).outcome()).contains(payload("paid"));
    }

    @Test
    void commitWhoseReplyIsLostMayHaveHappenedAndIsSettledByAsking() throws SQLException {
        var wish = claimRequest("k");
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.builder(TestDatabases.postgres(LossyProxy.through(url, proxy)))
                        .dedicatedDataSource(source)
                        .build()) {
            try (var transaction = lossy.transactions().begin()) {
                paid(transaction, wish);
                proxy.loseReplies();
                assertThatThrownBy(transaction::commit)
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
            }
            proxy.heal();
            try (var again = lossy.transactions().begin()) {
                assertThat(record(again.tryClaim(retryOf(wish)), false).outcome())
                        .contains(payload("paid"));
            }
            assertThat(payments()).isEqualTo(1);
        }
    }

    @Test
    void settlingAndCommittingAtOnceMayHaveHappenedIfTheReplyIsLost() throws SQLException {
        var wish = claimRequest("k");
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.builder(TestDatabases.postgres(LossyProxy.through(url, proxy)))
                        .dedicatedDataSource(source)
                        .build()) {
            try (var transaction = lossy.transactions().begin()) {
                var record = record(transaction.tryClaim(wish), true);
                pay(transaction.connection(), "k");
                proxy.loseReplies();
                assertThatThrownBy(() -> transaction.completeAndCommit(wish, record, payload("paid")))
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
            }
            proxy.heal();
            try (var again = lossy.transactions().begin()) {
                assertThat(record(again.tryClaim(retryOf(wish)), false).outcome())
                        .contains(payload("paid"));
            }
            assertThat(payments()).isEqualTo(1);
        }
    }
}
