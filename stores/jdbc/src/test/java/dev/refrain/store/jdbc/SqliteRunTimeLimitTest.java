package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConnection;

/** SQLite ends the transaction of a statement that is interrupted; work that goes on after its maximum run time keeps nothing all the same. */
class SqliteRunTimeLimitTest {

    private static final Duration LONGEST = Duration.ofMillis(600);
    private static final String ENDLESS = writing(Long.MAX_VALUE);
    private static final String SHORT = writing(100_000);

    @TempDir
    Path directory;

    private DataSource source;
    private RawSql sql;
    private JdbcStore store;
    private Refrain refrain;

    @BeforeEach
    void open() {
        source = SqliteDataSourceFactory.at(directory.resolve("refrain.db"));
        sql = new RawSql(source);
        sql.execute("CREATE TABLE payment (id text)");
        store = JdbcStore.builder(source).build();
        refrain = Refrain.using(store);
    }

    @AfterEach
    void close() {
        refrain.close();
        store.close();
    }

    /** One row, after some counting. */
    private static String writing(long counted) {
        return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT " + counted
                + ") INSERT INTO payment SELECT count(*) FROM n";
    }

    private TransactionalOperation<String, Connection> pay() {
        return pay(store.transactions());
    }

    private TransactionalOperation<String, Connection> pay(StoreTransactionFactory<Connection> transactions) {
        return refrain.operation("pay", String.class)
                .lease(LONGEST)
                .maxRunTime(LONGEST)
                .transactional(transactions);
    }

    private static OperationCall call() {
        return OperationCall.scope("tenant").key("k").request("7 EUR");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static void ignoringErrors(Connection connection, String sql) {
        try {
            execute(connection, sql);
        } catch (SQLException ignored) {
            // Work that goes on.
        }
    }

    private void keepsNothing(TransactionalOperation<String, Connection> pay, Work work) throws Exception {
        assertThatThrownBy(() -> pay.run(call(), (claim, connection) -> {
                    work.run(connection);
                    return "paid";
                }))
                .isInstanceOf(RunTimeExceededException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(sql.number("SELECT count(*) FROM payment")).isZero();

        assertThat(pay.run(call(), (claim, connection) -> {
                    execute(connection, "INSERT INTO payment VALUES ('again')");
                    return "again";
                }))
                .isEqualTo("again");
        assertThat(sql.number("SELECT count(*) FROM payment")).isOne();
    }

    @FunctionalInterface
    private interface Work {
        void run(Connection connection) throws Exception;
    }

    @Test
    void workThatGoesOnAfterTheInterruptedStatementKeepsNothing() throws Exception {
        keepsNothing(pay(), connection -> {
            try (var before = connection.prepareStatement("INSERT INTO payment VALUES ('before')")) {
                before.executeUpdate();
                assertThatThrownBy(() -> execute(connection, ENDLESS)).isInstanceOf(SQLException.class);
                assertThatThrownBy(before::executeUpdate).hasMessageContaining("maximum run time");
                assertThatThrownBy(() -> execute(connection, "INSERT INTO payment VALUES ('after')"))
                        .hasMessageContaining("maximum run time");
            }
        });
    }

    @Test
    void workThatUnwrappedItsConnectionKeepsNothing() throws Exception {
        keepsNothing(pay(), connection -> goesOn(connection.unwrap(SQLiteConnection.class)));
    }

    @Test
    void workOnTheConnectionOfAnotherManagerKeepsNothing() throws Exception {
        var theirs = new ThreadLocal<Connection>();
        keepsNothing(
                pay(store.transactions(() -> {
                    theirs.set(source.getConnection());
                    return new ConnectionTransaction(theirs.get(), false);
                })),
                connection -> goesOn(theirs.get()));
    }

    private static void goesOn(Connection connection) {
        long until = System.nanoTime() + LONGEST.multipliedBy(2).toNanos();
        while (System.nanoTime() - until < 0) {
            ignoringErrors(connection, SHORT);
        }
    }
}
