package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static dev.refrain.store.jdbc.JdbcTransactionTestBase.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreTransaction;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Many callers and one connection. */
abstract class SingleConnectionTestBase {

    /** More than ever stand in the pool's own line for so few. */
    static final int CALLERS = 12;

    final String url = TestDatabases.emptiedPostgres();
    final RawSql sql = new RawSql(TestDatabases.postgres(url));
    final LossyProxy proxy = new LossyProxy(LossyProxy.port(url));
    final JdbcStore separateStore = JdbcStore.on(TestDatabases.postgres(url));
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    HikariDataSource one;
    JdbcStore store;

    @BeforeEach
    void open() {
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
        use(pool(1, Duration.ofSeconds(20)));
    }

    HikariDataSource pool(int size, Duration patience) {
        var config = new HikariConfig();
        config.setJdbcUrl(LossyProxy.through(url, proxy));
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(patience.toMillis());
        return new HikariDataSource(config);
    }

    void use(HikariDataSource pool) {
        one = pool;
        store = over(pool).build();
    }

    JdbcStoreBuilder over(HikariDataSource pool) {
        return JdbcStore.builder(pool).dedicatedDataSource(TestDatabases.postgres(url));
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        close(store, one, separateStore, proxy);
    }

    static void close(AutoCloseable... all) throws Exception {
        for (var each : all) {
            each.close();
        }
    }

    /** What the work does beside paying. */
    @FunctionalInterface
    interface Work {
        void on(Connection connection) throws Exception;
    }

    RecordWriteResponse run(ClaimRequest wish, Work work) throws Exception {
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            var connection = transaction.connection();
            work.on(connection);
            pay(connection, wish.identity().key());
            return transaction.completeAndCommit(wish, record, payload("paid"));
        }
    }

    /** Holds the only connection, so that whoever comes has to wait; with it the first record. */
    StoreTransaction<Connection> first(ClaimRequest wish) {
        var transaction = store.transactions().begin();
        record(transaction.tryClaim(wish), true);
        return transaction;
    }

    List<Future<RecordWriteResponse>> queueUp(Work work) {
        var all = new ArrayList<Future<RecordWriteResponse>>();
        var callers = new CopyOnWriteArrayList<Thread>();
        for (int i = 0; i < CALLERS; i++) {
            var wish = claimRequest("k" + i);
            all.add(threads.submit(() -> {
                callers.add(Thread.currentThread());
                return run(wish, work);
            }));
        }
        await().until(() -> callers.size() == CALLERS
                && callers.stream().allMatch(SingleConnectionTestBase::waits)
                && one.getHikariPoolMXBean().getThreadsAwaitingConnection() >= 4);
        return all;
    }

    static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    static void allWritten(List<Future<RecordWriteResponse>> runs) throws Exception {
        for (var run : runs) {
            assertThat(run.get(1, TimeUnit.MINUTES)).isEqualTo(new RecordWriteResponse.Written());
        }
    }

    void paidOnceEach() {
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(CALLERS);
        assertThat(sql.number("SELECT count(DISTINCT id) FROM payment")).isEqualTo(CALLERS);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(found(separateStore, retryOf(claimRequest("k" + i))).outcome())
                    .contains(payload("paid"));
        }
    }
}
