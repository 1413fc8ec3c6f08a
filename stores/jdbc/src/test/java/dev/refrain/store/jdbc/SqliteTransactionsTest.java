package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

class SqliteTransactionsTest extends JdbcTransactionTestBase {

    @TempDir
    Path directory;

    @Override
    DataSource freshDatabase() {
        return SqliteDataSourceFactory.at(directory.resolve("refrain.db"));
    }

    @Override
    void expireAll() {
        sql.execute("UPDATE refrain_record SET expires_at = 1");
    }

    /** Whoever has the lock may be writing something quite different. */
    @Test
    void writerInTheWayIsNeverCalledInProgress() throws SQLException {
        try (var first = store.transactions().begin();
                var second = store.transactions().begin()) {
            paid(first, claimRequest("k"));
            busy(() -> second.tryClaim(claimRequest("quite another")));
            first.commit();
        }
        try (var third = store.transactions().begin()) {
            assertThat(record(third.tryClaim(retryOf(claimRequest("k"))), false).outcome())
                    .contains(payload("paid"));
        }
    }

    @Test
    void callersOldSnapshotIsTurnedAway() throws SQLException {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (var look = connection.createStatement();
                    var rows = look.executeQuery("SELECT count(*) FROM payment")) {
                rows.next();
            }
            try (var other = store.transactions().begin()) {
                paid(other, claimRequest("k"));
                other.commit();
            }
            try (var transaction = store.transactions().join(connection)) {
                busy(() -> transaction.tryClaim(retryOf(claimRequest("k"))));
            }
            connection.rollback();
        }
        assertThat(payments()).isEqualTo(1);
    }

    /** SQLite takes the whole transaction back if a table, a statement or a trigger says so; the work did not look. */
    @Test
    void workRolledBackByTheDatabaseIsNotSettled() throws SQLException {
        sql.execute("CREATE TABLE seen (id VARCHAR(50) PRIMARY KEY ON CONFLICT ROLLBACK)");
        sql.execute("INSERT INTO seen VALUES ('k')");
        try (var transaction = store.transactions().begin()) {
            notSettled(transaction);
        }
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (var transaction = store.transactions().join(connection)) {
                notSettled(transaction);
            }
        }
        assertThat(payments()).isZero();
        assertThat(acquired(store, claimRequest("k")).fence()).isEqualTo(1);
    }

    /** What a run within it left behind in the next transaction must not pass for its own. */
    @Test
    void workRolledBackByTheDatabaseIsNotSettledEitherIfAnotherRanInIt() throws SQLException {
        sql.execute("CREATE TABLE seen (id VARCHAR(50) PRIMARY KEY ON CONFLICT ROLLBACK)");
        sql.execute("INSERT INTO seen VALUES ('k')");
        store.write(List.of(complete(acquired(store, claimRequest("done")).claim(), "done")));
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (var transaction = store.transactions().join(connection)) {
                var wish = claimRequest("k");
                var record = record(transaction.tryClaim(wish), true);
                pay(connection, "k");
                try (var insert = connection.createStatement()) {
                    assertThatThrownBy(() -> insert.execute("INSERT INTO seen VALUES ('k')"))
                            .isInstanceOf(SQLException.class);
                }
                try (var inner = store.transactions().join(connection)) {
                    record(inner.tryClaim(claimRequest("done")), false);
                }

                assertThatThrownBy(() -> transaction.complete(wish, record, payload("paid")))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("its transaction is over");
            }
            connection.commit();
        }
        assertThat(payments()).isZero();
        assertThat(acquired(store, claimRequest("k")).fence()).isEqualTo(1);
    }

    private static void notSettled(StoreTransaction<Connection> transaction) throws SQLException {
        var wish = claimRequest("k");
        var record = record(transaction.tryClaim(wish), true);
        pay(transaction.connection(), "k");
        try (var insert = transaction.connection().createStatement()) {
            assertThatThrownBy(() -> insert.execute("INSERT INTO seen VALUES ('k')"))
                    .isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(() -> transaction.complete(wish, record, payload("paid")))
                .asInstanceOf(type(StoreException.class))
                .returns(Effect.NONE, StoreException::effect)
                .satisfies(e -> assertThat(e).hasMessageContaining("its transaction is over"));
    }

    /** SQLite leaves a transaction open that it does not commit: its connection would go back to its pool with the one write lock. */
    @Test
    void commitThatIsRefusedLeavesNothingOpen() throws SQLException {
        var config = new SQLiteConfig();
        config.enforceForeignKeys(true);
        var strict = new SQLiteDataSource(config);
        strict.setUrl("jdbc:sqlite:" + directory.resolve("refrain.db"));
        sql.execute("CREATE TABLE refund (payment VARCHAR(50) REFERENCES seen (id) DEFERRABLE INITIALLY DEFERRED)");
        sql.execute("CREATE TABLE seen (id VARCHAR(50) PRIMARY KEY)");
        try (var pool = new HikariDataSource(pooling(strict));
                var pooled = JdbcStore.on(pool)) {
            try (var transaction = pooled.transactions().begin()) {
                var wish = paid(transaction, claimRequest("k"));
                try (var insert = transaction.connection().createStatement()) {
                    insert.execute(
                            "INSERT INTO refund VALUES ('" + wish.identity().key() + "')");
                }
                assertThatThrownBy(transaction::commit)
                        .asInstanceOf(type(StoreException.class))
                        .returns(Effect.NONE, StoreException::effect);
            }
            assertThat(payments()).isZero();
            assertThat(acquired(store, claimRequest("k")).fence()).isEqualTo(1);
        }
    }

    private static HikariConfig pooling(DataSource source) {
        var config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(8);
        return config;
    }

    /** The driver's own commit would begin the next transaction with the write lock in hand. */
    @Test
    void commitDoesNotTakeTheLockAgain() throws SQLException {
        var config = new SQLiteConfig();
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        var immediate = new SQLiteDataSource(config);
        immediate.setUrl("jdbc:sqlite:" + directory.resolve("refrain.db"));
        try (var other = JdbcStore.on(immediate);
                var transaction = other.transactions().begin()) {
            paid(transaction, claimRequest("k"));
            transaction.commit();
            try (var second = store.transactions().begin()) {
                paid(second, claimRequest("k2"));
                second.commit();
            }
        }
        assertThat(payments()).isEqualTo(2);
    }

    private static void busy(ThrowingCallable ask) {
        assertThatThrownBy(ask)
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .satisfies(e -> assertThat(e.isTransient()).isTrue());
    }
}
