package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that a store on MySQL or MariaDB holds for itself: how it sets them up, and what is left of that when a pool has them back. */
@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlSessionsTest {

    private static final long SECOND = 1_000_000;
    private static final String CLOCK = "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

    private final String url = MariadbServer.shared().freshDatabase();
    private final RawSql sql = new RawSql(MariadbServer.dataSource(url));

    @Test
    void connectionsOfTheStoreAreReadCommitted() throws SQLException {
        var given = new CopyOnWriteArrayList<Connection>();
        try (var store = JdbcStore.on(StubDataSources.of(() -> {
            var connection = sql.source().getConnection();
            given.add(connection);
            return connection;
        }))) {
            store.write(List.of(complete(acquired(store, claimRequest("k")).claim(), "done")));
            int held = 0;
            for (var connection : given) {
                if (!connection.isClosed()) {
                    held++;
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                }
            }
            assertThat(held).isGreaterThanOrEqualTo(4);
        }
    }

    /** A table that is gone is an error of a connection that works: it must not go back into its pool strict, and in another time zone. */
    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_REPEATABLE_READ", "TRANSACTION_READ_COMMITTED"})
    void connectionThatIsGivenUpAfterAnErrorLeavesNoSettingBehind(String isolation) throws SQLException {
        var config = new HikariConfig();
        config.setJdbcUrl(url + "&sessionVariables=sql_mode='',time_zone='+02:00'");
        config.setTransactionIsolation(isolation);
        config.setMaximumPoolSize(5);
        try (var pool = new HikariDataSource(config)) {
            String before;
            try (var one = pool.getConnection()) {
                before = settings(one);
            }
            try (var store =
                    JdbcStore.builder(sql.source()).dedicatedDataSource(pool).build()) {
                sql.execute("RENAME TABLE refrain_record TO elsewhere");
                assertThatThrownBy(() -> claim(store, claimRequest("k"))).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> store.find(List.of(claimRequest("k").identity())))
                        .isInstanceOf(StoreException.class);
                try (var first = pool.getConnection();
                        var second = pool.getConnection()) {
                    assertThat(settings(first)).isEqualTo(before);
                    assertThat(settings(second)).isEqualTo(before);
                }
            }
        }
    }

    private static String settings(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT CONCAT_WS(' ', @@SESSION.sql_mode, @@SESSION.time_zone,"
                        + " @@SESSION.innodb_lock_wait_timeout, @@SESSION.lock_wait_timeout)")) {
            row.next();
            return row.getString(1) + " " + connection.getTransactionIsolation();
        }
    }

    /** To turn auto-commit on, as the connection came, would commit what was not rolled back. */
    @Test
    void workWhoseRollbackFailsIsNotCommitted() throws SQLException {
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
        try (var one = sql.source().getConnection();
                var store = JdbcStore.builder(StubDataSources.of(() -> withoutRollback(one)))
                        .dedicatedDataSource(sql.source())
                        .build()) {
            try (var transaction = store.transactions().begin()) {
                record(transaction.tryClaim(claimRequest("k")), true);
                try (var insert = transaction.connection().createStatement()) {
                    insert.execute("INSERT INTO payment VALUES ('paid')");
                }
            }
            assertThat(one.isClosed()).isTrue();
        }
        assertThat(sql.number("SELECT count(*) FROM payment")).isZero();
    }

    private static Connection withoutRollback(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                MysqlSessionsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("rollback")) {
                        throw new SQLException("refused", "HY000", 1);
                    }
                    return method.invoke(connection, arguments);
                });
    }

    /** A batch waits for the first key, in whose gap somebody lets nobody insert: the second one's lease does not begin before that. */
    @Test
    void leaseBeginsWhenItsRowIsReachedAndNotWithTheStatement() throws Exception {
        var keys = claimRequests("k", 2);
        try (var store = JdbcStore.builder(sql.source())
                        .lockTimeout(Duration.ofMinutes(2))
                        .statementTimeout(Duration.ofMinutes(2))
                        .build();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long ended;
            try (var person = sql.source().getConnection();
                    var statement = person.createStatement()) {
                person.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                person.setAutoCommit(false);
                statement.execute("SELECT lookup FROM refrain_record WHERE lookup = X'"
                        + keys.getFirst().lookup().asUuid().toString().replace("-", "") + "' FOR UPDATE");
                var claims = threads.submit(() -> store.claim(keys));
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> sql.number("SELECT count(*) FROM information_schema.INNODB_TRX"
                                        + " WHERE trx_state = 'LOCK WAIT'")
                                == 1);
                long waits = sql.number(CLOCK);
                await().atMost(Duration.ofMinutes(1)).until(() -> sql.number(CLOCK) >= waits + SECOND);
                ended = sql.number(CLOCK);
                person.rollback();
                for (var answer : claims.get()) {
                    record(answer, true);
                }
            }
            var times = new ArrayList<Long>();
            for (var key : keys) {
                times.add(sql.number("SELECT claimed_at FROM refrain_record WHERE lookup = X'"
                        + key.lookup().asUuid().toString().replace("-", "") + "'"));
            }
            assertThat(times.getLast()).isGreaterThanOrEqualTo(ended);
        }
    }

    @Test
    void serverWhoseClockStandsStillInAStatementIsRefused() {
        try (var server = MariadbServer.start("--sysdate-is-now")) {
            var source = MariadbServer.dataSource(server.freshDatabase());
            assertThatThrownBy(() -> JdbcStore.on(source))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("without --sysdate-is-now");
        }
    }
}
