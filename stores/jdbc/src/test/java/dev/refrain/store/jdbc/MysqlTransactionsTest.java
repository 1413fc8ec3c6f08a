package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlTransactionsTest extends JdbcTransactionTestBase {

    private static final int RACES = 15;
    private static final int DEADLOCK = 1213;

    private final String url = MariadbServer.shared().freshDatabase();

    @Override
    DataSource freshDatabase() {
        return MariadbServer.dataSource(url);
    }

    @Override
    void expireAll() {
        sql.execute("UPDATE refrain_record SET expires_at = 1");
    }

    /** The record is not there while the work runs: only the lock tells a twin. */
    @Test
    void twinIsBusyWithoutWaitingAndClaimsOfOtherKeysGoOn() throws SQLException {
        var wish = claimRequest("k");
        try (var first = store.transactions().begin();
                var second = store.transactions().begin();
                var other = store.transactions().begin()) {
            var record = record(first.tryClaim(wish), true);
            pay(first.connection(), "k");
            assertThat(second.tryClaim(retryOf(wish))).isEqualTo(new ClaimResponse.LockedByTransaction());
            paid(other, claimRequest("other"));
            other.commit();
            acquired(store, claimRequest("leased"));
            first.complete(wish, record, payload("paid"));
            first.commit();
        }
        try (var third = store.transactions().begin()) {
            assertThat(record(third.tryClaim(retryOf(wish)), false).outcome()).contains(payload("paid"));
        }
    }

    /** A lock belongs to its connection: what a pool gives out next must hold none, however the run before ended. */
    @Test
    void connectionHoldsNoKeysLockWhenItIsBackInItsPool() throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (var pool = new HikariDataSource(config);
                var pooled = JdbcStore.builder(pool).dedicatedDataSource(source).build()) {
            try (var transaction = pooled.transactions().begin()) {
                paid(transaction, claimRequest("committed"));
                transaction.commit();
            }
            try (var transaction = pooled.transactions().begin()) {
                paid(transaction, claimRequest("rolled back"));
            }
            try (var transaction = pooled.transactions().begin()) {
                var wish = claimRequest("failed and kept");
                var record = record(transaction.tryClaim(wish), true);
                transaction.rollbackWork();
                transaction.complete(wish, record, payload("failed"));
                transaction.commit();
            }
            try (var connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (var joined = pooled.transactions().join(connection)) {
                    paid(joined, claimRequest("joined"));
                }
                connection.commit();
            }
            for (String key : List.of("committed", "rolled back", "failed and kept", "joined")) {
                assertThat(sql.text("SELECT IS_USED_LOCK(CONCAT('refrain.', LEFT(MD5(DATABASE()), 8), '.', '"
                                + claimRequest(key)
                                        .lookup()
                                        .asUuid()
                                        .toString()
                                        .replace("-", "")
                                        .toUpperCase(java.util.Locale.ROOT)
                                + "'))"))
                        .as(key)
                        .isNull();
            }
        }
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
                while (store.find(List.of(wish.identity())).getFirst().isEmpty()) {
                    racer(wish, isolation, new CyclicBarrier(1)).call();
                }
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
            assertThat(e.getErrorCode()).isEqualTo(DEADLOCK);
            connection.rollback();
            return e.toString();
        }
    }

    /** The snapshot is older than the twin's commit, and the lock is free: only a look outside tells. */
    @Test
    void oldSnapshotDoesNotHideWhatATwinCommitted() throws SQLException {
        var wish = claimRequest("k");
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
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

    @Test
    void transactionWhoseRecordWasClaimedMeanwhileIsRefused() throws SQLException {
        var wish = claimRequest("k");
        sql.execute("CREATE TABLE bystander (id INT)");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            // A connection of the store does not ask for the lock of a key whose record is not there.
            var other = acquired(store, retryOf(wish));
            assertThat(other.fence()).isEqualTo(1);
            assertThat(transaction.complete(wish, record, payload("paid")))
                    .isInstanceOf(RecordWriteResponse.Refused.class);
        }

        assertThat(payments()).isZero();
    }

    /** The database rolls all of it back, and what follows would be committed alone. */
    @Test
    void workThatLostADeadlockAndWentOnIsNotSettled() throws Exception {
        sql.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT)");
        sql.execute("INSERT INTO account VALUES (1, 10), (2, 10)");
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin();
                var rival = source.getConnection();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var record = record(transaction.tryClaim(wish), true);
            var work = transaction.connection();
            rival.setAutoCommit(false);
            execute(rival, "UPDATE account SET balance = 0 WHERE id = 2");
            execute(rival, "INSERT INTO payment VALUES ('makes it the heavier one'), ('b'), ('c'), ('d')");
            execute(work, "UPDATE account SET balance = 0 WHERE id = 1");
            var started = new CountDownLatch(1);
            var other = threads.submit(() -> {
                started.countDown();
                execute(rival, "UPDATE account SET balance = 0 WHERE id = 1");
                return true;
            });
            started.await();
            assertThatThrownBy(() -> execute(work, "UPDATE account SET balance = 0 WHERE id = 2"))
                    .asInstanceOf(type(SQLException.class))
                    .satisfies(e -> assertThat(e.getErrorCode()).isEqualTo(DEADLOCK));
            other.get();
            rival.rollback();
            pay(work, "after the deadlock");

            assertThatThrownBy(() -> transaction.complete(wish, record, payload("paid")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("rolled it back");
        }

        assertThat(payments()).isZero();
        assertThat(store.find(List.of(wish.identity())).getFirst()).isEmpty();
    }

    /** As when the server is killed: the work did nothing wrong, and a retry may succeed. */
    @Test
    void connectionLostBeforeTheOutcomeIsTransientAndHadNoEffect() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            long id;
            try (var statement = transaction.connection().createStatement();
                    var row = statement.executeQuery("SELECT CONNECTION_ID()")) {
                row.next();
                id = row.getLong(1);
            }
            sql.execute("KILL " + id);

            assertThatThrownBy(() -> transaction.complete(wish, record, payload("paid")))
                    .asInstanceOf(type(StoreException.class))
                    .returns(true, StoreException::isTransient)
                    .returns(Effect.NONE, StoreException::effect);
        }

        assertThat(payments()).isZero();
        try (var again = store.transactions().begin()) {
            paid(again, retryOf(wish));
            again.commit();
        }
        assertThat(payments()).isEqualTo(1);
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (var s = connection.createStatement()) {
            s.execute(statement);
        }
    }

    /** At REPEATABLE READ, which is the default here, a look for what is not there can lock the gap for everybody's next row. */
    @Test
    void openTransactionsAndPhasesDelayNoOtherKey() throws SQLException {
        var flow = acquired(store, claimRequest("flow")).claim();
        try (var transaction = store.transactions().begin();
                var phase = store.transactions().beginPhase()) {
            var wish = claimRequest("k");
            var record = record(transaction.tryClaim(wish), true);
            pay(transaction.connection(), "k");
            transaction.complete(wish, record, payload("paid"));
            pay(phase.connection(), "phase");
            for (int i = 0; i < 50; i++) {
                var other = acquired(store, claimRequest("other-" + i));
                assertThat(store.write(List.of(ClaimRequestFixtures.complete(other.claim(), "done"))))
                        .containsExactly(new RecordWriteResponse.Written());
            }
            assertThat(phase.writeAndCommit(ClaimRequestFixtures.complete(flow, "done")))
                    .isEqualTo(new RecordWriteResponse.Written());
            transaction.commit();
        }
        assertThat(payments()).isEqualTo(2);
    }

    @Test
    void claimOfALeasedRunBesideAnUncommittedRecordIsInProgressAndItsBatchGoesOn() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            paid(transaction, wish);
            var answers = store.claim(List.of(retryOf(wish), claimRequest("other")));
            assertThat(answers).first().isEqualTo(new ClaimResponse.LockedByTransaction());
            assertThat(answers).last().isInstanceOf(ClaimResponse.Acquired.class);
            transaction.commit();
        }
        assertThat(found(store, retryOf(wish)).outcome()).contains(payload("paid"));
    }

    @Test
    void commitWhoseReplyIsLostMayHaveHappenedAndIsSettledByAsking() throws SQLException {
        var wish = claimRequest("k");
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.builder(MariadbServer.dataSource(LossyProxy.through(url, proxy)))
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
    void claimOfAKeyWhoseRunIsUncommittedElsewhereIsNotTakenForItsOwn() {
        var wish = claimRequest("k");
        acquired(store, wish);
        assertThat(claim(store, wish)).isInstanceOf(ClaimResponse.Acquired.class);
        assertThat(claim(store, retryOf(wish))).isInstanceOf(ClaimResponse.Found.class);
    }
}
