package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.servers.LossyProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server ends a run whose client is frozen or cut off: neither the key nor a row stays locked for hours. */
class UnattendedTransactionTest {

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofMillis(500);

    /** The maximum run time, four times the patience, and five seconds. */
    private static final String BOUND = "7500ms";

    private static final Duration LATEST = Duration.ofSeconds(60);

    private final String url = TestDatabases.emptiedPostgres();
    private final RawSql sql = new RawSql(TestDatabases.postgres(url));

    private static HikariDataSource pool(String url, int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    private JdbcStore store(HikariDataSource pool) {
        return JdbcStore.builder(pool)
                .dedicatedDataSource(TestDatabases.postgres(url))
                .build();
    }

    private static TransactionalOperation<String, Connection> pay(
            JdbcStore store, Duration patience, Duration longest) {
        return Refrain.using(store)
                .operation("pay", String.class)
                .storeTimeout(patience)
                .lease(longest)
                .maxRunTime(longest)
                .transactional(store.transactions());
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("tenant").key(key).request("7 EUR");
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT current_setting('" + name + "')")) {
            row.next();
            return row.getString(1);
        }
    }

    private long locks() {
        return sql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' OR mode = 'RowExclusiveLock'");
    }

    enum WhenCutOff {
        BETWEEN_STATEMENTS,
        IN_A_STATEMENT
    }

    @ParameterizedTest
    @EnumSource
    void runThatIsCutOffIsEndedByTheServer(WhenCutOff when) throws Exception {
        sql.execute("CREATE TABLE payment (id text)");
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var pool = pool(LossyProxy.through(url, proxy), 1);
                var store = store(pool)) {
            var pay = pay(store, PATIENCE, LONGEST);
            var run = Thread.ofVirtual().start(() -> {
                try {
                    pay.run(call("k"), (claim, connection) -> {
                        try (var statement = connection.createStatement()) {
                            statement.execute("INSERT INTO payment VALUES ('paid')");
                            if (when == WhenCutOff.BETWEEN_STATEMENTS) {
                                assertThat(locks()).isEqualTo(2);
                                proxy.standStill();
                            }
                            statement.execute("SELECT pg_sleep(3600)");
                        }
                        return "never";
                    });
                } catch (Exception cutOff) {
                    // Its connection is broken off.
                }
            });
            if (when == WhenCutOff.IN_A_STATEMENT) {
                await().until(() ->
                        sql.number("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)'"
                                        + " AND pid <> pg_backend_pid()")
                                == 1);
                proxy.standStill();
            }
            run.join();

            await().atMost(LATEST).until(() -> locks() == 0);
            assertThat(sql.number("SELECT count(*) FROM payment")).isZero();
            proxy.breakOff();
            proxy.heal();
        }
    }

    /** Also for a run that gets the connection of another one. */
    @Test
    void boundsAreThoseOfEachTransactionAlone() throws Exception {
        String name = "idle_in_transaction_session_timeout";
        try (var pool = pool(url, 1);
                var store = store(pool);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var pay = pay(store, Duration.ofMinutes(1), Duration.ofMinutes(2));
            var seen = new ConcurrentLinkedQueue<String>();
            var first = new CountDownLatch(1);
            var all = IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> pay.run(call("k" + i), (claim, connection) -> {
                        seen.add(setting(connection, name));
                        first.await();
                        return "paid";
                    })))
                    .toList();
            await().until(() -> !seen.isEmpty());
            first.countDown();
            for (Future<String> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }

            assertThat(seen).hasSize(20).containsOnly("365s");
            try (var connection = pool.getConnection()) {
                assertThat(setting(connection, name)).isEqualTo("0");
                assertThat(setting(connection, "statement_timeout")).isEqualTo("0");
            }
        }
    }

    @Test
    void timeoutOfTheApplicationThatEndsSoonerStays() throws Exception {
        for (var bound : List.of("5s", "0", "1h")) {
            try (var pool = pool(url + "&options=-c%20idle_in_transaction_session_timeout=" + bound, 1);
                    var store = store(pool)) {
                assertThat(pay(store, PATIENCE, LONGEST)
                                .run(
                                        call("bound-" + bound),
                                        (claim, connection) ->
                                                setting(connection, "idle_in_transaction_session_timeout")))
                        .isEqualTo(bound.equals("5s") ? "5s" : BOUND);
            }
        }
    }
}
