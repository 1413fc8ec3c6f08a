package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run in its caller's transaction ends in time as well, and leaves that transaction to its caller. */
class JoinedTimeLimitsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMillis(600);

    /** Far above both, and far below the minute for which the work sleeps. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private RawSql sql;
    private String url;
    private JdbcStore store;

    @BeforeEach
    void open() {
        url = TestDatabases.emptiedPostgres();
        sql = new RawSql(TestDatabases.postgres(url));
        sql.execute("CREATE TABLE payment (id text)");
        store = JdbcStore.on(TestDatabases.postgres(url));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private TransactionalOperation<String, Connection> pay(Duration longest) {
        return Refrain.using(store)
                .operation("pay", String.class)
                .storeTimeout(PATIENCE)
                .lease(longest)
                .maxRunTime(longest)
                .transactional(store.transactions());
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("tenant").key(key).request("7 EUR");
    }

    private static String insert(Connection connection, String id) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO payment VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
        return id;
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void runInTheCallersTransactionIsRolledBackAloneAtItsMaximumRunTime() throws Exception {
        var pay = pay(LONGEST);
        try (var callers = TestDatabases.postgres(url).getConnection()) {
            callers.setAutoCommit(false);
            insert(callers, "before");
            long begun = System.nanoTime();

            assertThatThrownBy(() -> pay.runInTransaction(callers, call("k"), (claim, connection) -> {
                        insert(connection, "paid");
                        try (var statement = connection.createStatement()) {
                            statement.execute("SELECT pg_sleep(60)");
                        }
                        return "paid";
                    }))
                    .isInstanceOf(RunTimeExceededException.class);

            assertThat(since(begun)).isBetween(LONGEST, SOON);
            insert(callers, "after");
            callers.commit();
        }
        assertThat(sql.number("SELECT count(*) FROM payment WHERE id IN ('before', 'after')"))
                .isEqualTo(2);
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(2);
    }

    @Test
    void callInTheCallersTransactionWaitsNoLongerThanThePatience() throws Exception {
        var pay = pay(Duration.ofMinutes(1));
        try (var callers = TestDatabases.postgres(url).getConnection();
                var blocker = TestDatabases.postgres(url).getConnection()) {
            callers.setAutoCommit(false);
            insert(callers, "before");
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE refrain_record IN ACCESS EXCLUSIVE MODE");
            long begun = System.nanoTime();

            assertThatThrownBy(() ->
                            pay.runInTransaction(callers, call("k"), (claim, connection) -> insert(connection, "paid")))
                    .isInstanceOf(StoreException.class);

            assertThat(since(begun)).isLessThan(SOON);
            blocker.rollback();
            assertThat(pay.runInTransaction(callers, call("k"), (claim, connection) -> insert(connection, "paid")))
                    .isEqualTo("paid");
            callers.commit();
        }
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(2);
    }
}
