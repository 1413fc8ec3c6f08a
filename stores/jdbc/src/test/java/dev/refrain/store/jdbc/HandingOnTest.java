package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.TransactionsTest.pay;
import static dev.refrain.store.jdbc.Wishes.acquired;
import static dev.refrain.store.jdbc.Wishes.found;
import static dev.refrain.store.jdbc.Wishes.payload;
import static dev.refrain.store.jdbc.Wishes.record;
import static dev.refrain.store.jdbc.Wishes.twin;
import static dev.refrain.store.jdbc.Wishes.wish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.WriteAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many callers and one connection: whoever commits hands it on. */
class HandingOnTest {

    /** More than ever stand in the pool's own line for so few. */
    private static final int CALLERS = 12;

    private final String url = TestDatabases.emptiedPostgres();
    private final Sql sql = new Sql(TestDatabases.postgres(url));
    private final LossyProxy proxy = new LossyProxy(LossyProxy.port(url));
    private final JdbcStore lanes = JdbcStore.on(TestDatabases.postgres(url));
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HikariDataSource one;
    private JdbcStore store;

    @BeforeEach
    void open() {
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
        use(pool(Duration.ofSeconds(20)));
    }

    private HikariDataSource pool(Duration patience) {
        var config = new HikariConfig();
        config.setJdbcUrl(LossyProxy.through(url, proxy));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(patience.toMillis());
        return new HikariDataSource(config);
    }

    private void use(HikariDataSource pool) {
        one = pool;
        store = JdbcStore.builder(pool)
                .laneDataSource(TestDatabases.postgres(url))
                .build();
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        close(store, one, lanes, proxy);
    }

    private static void close(AutoCloseable... all) throws Exception {
        for (var each : all) {
            each.close();
        }
    }

    /** What the work does beside paying. */
    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private WriteAnswer run(ClaimRequest wish, Work work) throws SQLException {
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.enter(wish), true);
            var connection = transaction.connection();
            work.on(connection);
            pay(connection, wish.identity().key());
            return transaction.settleAndCommit(wish, record, Optional.of(payload("paid")));
        }
    }

    /** Holds the only connection, so that whoever comes has to wait; with it the first record. */
    private StoreTransaction<Connection> first(ClaimRequest wish) {
        var transaction = store.transactions().begin();
        record(transaction.enter(wish), true);
        return transaction;
    }

    private List<Future<WriteAnswer>> queueUp(Work work) {
        var all = new ArrayList<Future<WriteAnswer>>();
        for (int i = 0; i < CALLERS; i++) {
            var wish = wish("k" + i);
            all.add(threads.submit(() -> run(wish, work)));
        }
        await().until(() -> one.getHikariPoolMXBean().getThreadsAwaitingConnection() >= 4);
        return all;
    }

    private static void allWritten(List<Future<WriteAnswer>> runs) throws Exception {
        for (var run : runs) {
            assertThat(run.get(20, TimeUnit.SECONDS)).isEqualTo(new WriteAnswer.Written());
        }
    }

    private void paidOnceEach() {
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(CALLERS);
        assertThat(sql.number("SELECT count(DISTINCT id) FROM payment")).isEqualTo(CALLERS);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(found(lanes, twin(wish("k" + i))).outcome()).contains(payload("paid"));
        }
    }

    private static ClaimRequest wishFor(int i) {
        return wish("k" + i);
    }

    @Test
    void underLoadARunTakesNoMoreRoundTripsThanItsWorkAlone() throws Exception {
        var backends = ConcurrentHashMap.<Connection>newKeySet();
        var holder = first(wish("first"));
        var runs = queueUp(backends::add);
        int before = proxy.sent();
        holder.close();
        allWritten(runs);

        // Alone it would be three for each, and a rollback or two. The first few come through the pool.
        assertThat(proxy.sent() - before).isLessThan(CALLERS * 5 / 2 + 4);
        assertThat(backends).as("each work has a connection object of its own").hasSize(CALLERS);
        paidOnceEach();
    }

    @Test
    void whoIsRefusedTakesNobodyDownWithHim() throws Exception {
        var wish = wish("first");
        var holder = store.transactions().begin();
        var record = record(holder.enter(wish), true);
        var runs = queueUp(connection -> {});
        acquired(lanes, twin(wish));

        assertThat(holder.settleAndCommit(wish, record, Optional.of(payload("late"))))
                .isInstanceOf(WriteAnswer.Refused.class);
        holder.close();

        allWritten(runs);
        paidOnceEach();
    }

    @Test
    void aConnectionThatIsLostOnTheWayIsInDoubtForTheOneWhoCommittedAndForNobodyElse() throws Exception {
        var wish = wish("first");
        var holder = store.transactions().begin();
        var record = record(holder.enter(wish), true);
        var runs = queueUp(connection -> {});
        proxy.loseReplies();

        assertThatThrownBy(() -> holder.settleAndCommit(wish, record, Optional.of(payload("paid"))))
                .asInstanceOf(type(StoreException.class))
                .extracting(StoreException::effect)
                .isEqualTo(Effect.UNKNOWN);
        proxy.heal();
        holder.close();

        allWritten(runs);
        paidOnceEach();
    }

    @Test
    void aConnectionThatTheWorkHasChangedGoesBackToItsPoolFirst() throws Exception {
        var holder = first(wish("first"));
        var timeouts = ConcurrentHashMap.<Integer>newKeySet();
        var runs = queueUp(connection -> {
            timeouts.add(connection.getNetworkTimeout());
            connection.setNetworkTimeout(Runnable::run, 60_000);
        });
        holder.close();
        allWritten(runs);

        assertThat(timeouts).containsExactly(0);
        paidOnceEach();
    }

    @Test
    void whatTheWorkKeptReachesNobodyElsesTransaction() throws Exception {
        var kept = ConcurrentHashMap.<Statement>newKeySet();
        var connections = ConcurrentHashMap.<Connection>newKeySet();
        var holder = first(wish("first"));
        var runs = queueUp(connection -> {
            connections.add(connection);
            kept.add(connection.prepareStatement("INSERT INTO payment VALUES ('stray')"));
        });
        holder.close();
        allWritten(runs);

        for (var statement : kept) {
            assertThat(statement.isClosed()).isTrue();
        }
        for (var connection : connections) {
            assertThat(connection.isClosed()).isTrue();
            assertThatThrownBy(connection::createStatement).hasMessageContaining("over");
        }
        paidOnceEach();
    }

    @Test
    void workCannotEndItsTransaction() throws Exception {
        for (Work ending : List.<Work>of(
                Connection::commit,
                Connection::rollback,
                Connection::close,
                c -> c.setAutoCommit(true),
                c -> c.abort(Runnable::run))) {
            assertThatThrownBy(() -> run(wish("k"), ending))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("not the work's to call");
        }
        assertThat(run(wish("k"), c -> c.rollback(c.setSavepoint()))).isEqualTo(new WriteAnswer.Written());
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(1);
    }

    @Test
    void whoIsInterruptedLeavesTheLineAndTheOthersStay() throws Exception {
        var holder = first(wish("first"));
        var runs = queueUp(connection -> {});
        var told = new AtomicReference<Throwable>();
        var late = Thread.ofVirtual().start(() -> {
            try {
                run(wish("late"), connection -> {});
            } catch (SQLException | RuntimeException e) {
                told.set(e);
            }
        });
        await().until(() -> late.getState() == Thread.State.WAITING);
        late.interrupt();
        late.join();
        assertThat(told.get())
                .asInstanceOf(type(StoreException.class))
                .extracting(StoreException::effect)
                .isEqualTo(Effect.NONE);
        holder.close();

        allWritten(runs);
        paidOnceEach();
    }

    @Test
    void aPoolThatGivesNothingIsToldToEverybodyInTime() throws Exception {
        close(store, one);
        use(pool(Duration.ofMillis(500)));
        var holder = first(wish("first"));
        long begun = System.nanoTime();
        var runs = IntStream.range(0, CALLERS)
                .mapToObj(i -> threads.submit(() -> run(wishFor(i), connection -> {})))
                .toList();
        for (var run : runs) {
            assertThatThrownBy(() -> run.get(20, TimeUnit.SECONDS))
                    .cause()
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e.passing()).isTrue());
        }
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(5));
        holder.close();
        assertThat(run(wish("after"), connection -> {})).isEqualTo(new WriteAnswer.Written());
    }
}
