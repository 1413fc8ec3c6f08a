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
import dev.refrain.Call;
import dev.refrain.Refrain;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.TakeOver;
import dev.refrain.store.WriteAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
        use(pool(1, Duration.ofSeconds(20)));
    }

    private HikariDataSource pool(int size, Duration patience) {
        var config = new HikariConfig();
        config.setJdbcUrl(LossyProxy.through(url, proxy));
        config.setMaximumPoolSize(size);
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
        void on(Connection connection) throws Exception;
    }

    private WriteAnswer run(ClaimRequest wish, Work work) throws Exception {
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
                c -> c.createStatement().getConnection().commit(),
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
            } catch (Exception e) {
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
        use(pool(1, Duration.ofMillis(500)));
        var holder = first(wish("first"));
        long begun = System.nanoTime();
        var runs = IntStream.range(0, CALLERS)
                .mapToObj(i -> threads.submit(() -> run(wish("k" + i), connection -> {})))
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

    @Test
    void aConnectionOfADataSourceThatLooksAtItsThreadIsNotHandedOn() throws Exception {
        close(store);
        var tenant = new ThreadLocal<String>();
        store = JdbcStore.builder(Sources.of(() -> {
                    var connection = one.getConnection();
                    try (var set = connection.createStatement()) {
                        set.execute("SET app.tenant = '" + tenant.get() + "'");
                    }
                    return connection;
                }))
                .laneDataSource(TestDatabases.postgres(url))
                .build();
        var holder = first(wish("first"));
        var all = new ArrayList<Future<WriteAnswer>>();
        for (int i = 0; i < CALLERS; i++) {
            var wish = wish("k" + i);
            String me = "tenant " + i;
            all.add(threads.submit(() -> {
                tenant.set(me);
                return run(wish, connection -> assertThat(tenantOf(connection)).isEqualTo(me));
            }));
        }
        await().until(() -> one.getHikariPoolMXBean().getThreadsAwaitingConnection() == CALLERS);
        holder.close();
        allWritten(all);
    }

    private static String tenantOf(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var answer = statement.executeQuery("SELECT current_setting('app.tenant')")) {
            answer.next();
            return answer.getString(1);
        }
    }

    @Test
    void whoWaitsForASlowCommitGoesElsewhere() throws Exception {
        sql.execute("CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.id = 'slow' THEN PERFORM pg_sleep(6); END IF; RETURN NEW; END $$");
        sql.execute("CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON payment DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION slow()");
        close(store, one);
        use(pool(2, Duration.ofSeconds(20)));
        var gate = new CountDownLatch(1);
        var slow = threads.submit(() -> run(wish("slow"), connection -> gate.await()));
        await().until(() -> one.getHikariPoolMXBean().getActiveConnections() == 1);
        var holder = first(wish("first"));
        var runs = queueUp(connection -> {});
        gate.countDown();
        await().until(() -> sql.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == 1);
        long begun = System.nanoTime();
        holder.close();
        allWritten(runs);

        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(4));
        assertThat(slow.get()).isEqualTo(new WriteAnswer.Written());
    }

    @Test
    void nobodyIsOvertakenForLong() throws Exception {
        close(store, one);
        use(pool(1, Duration.ofSeconds(2)));
        var runs = new ArrayList<Future<Integer>>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        for (int i = 0; i < 10; i++) {
            int caller = i;
            runs.add(threads.submit(() -> {
                int count = 0;
                while (System.nanoTime() - end < 0) {
                    // About 450 ms if they took turns; whoever waits for two seconds is told that there is no
                    // connection.
                    run(wish("k" + caller + "-" + count++), connection -> Thread.sleep(40));
                }
                return count;
            }));
        }
        for (var run : runs) {
            assertThat(run.get(20, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void anInterruptOfOneWhoStandsInThePoolFailsNobodyElse() throws Exception {
        var callers = new CopyOnWriteArrayList<Thread>();
        var holder = first(wish("first"));
        var all = new ArrayList<Future<WriteAnswer>>();
        for (int i = 0; i < CALLERS; i++) {
            var wish = wish("k" + i);
            all.add(threads.submit(() -> {
                callers.add(Thread.currentThread());
                return run(wish, connection -> {});
            }));
        }
        await().until(() -> one.getHikariPoolMXBean().getThreadsAwaitingConnection() >= 4 && callers.size() == CALLERS);
        var before = inThePool(callers);
        before.getFirst().interrupt();
        await().until(() -> inThePool(callers).stream().anyMatch(thread -> !before.contains(thread)));
        inThePool(callers).stream()
                .filter(thread -> !before.contains(thread))
                .findFirst()
                .orElseThrow()
                .interrupt();
        await().until(() -> all.stream().filter(Future::isDone).count() >= 2);
        holder.close();

        int written = 0;
        for (var run : all) {
            try {
                run.get(20, TimeUnit.SECONDS);
                written++;
            } catch (ExecutionException interrupted) {
                assertThat(interrupted).hasCauseInstanceOf(StoreException.class);
            }
        }
        assertThat(written).isEqualTo(CALLERS - 2);
    }

    private static List<Thread> inThePool(List<Thread> threads) {
        return threads.stream()
                .filter(thread -> Stream.of(thread.getStackTrace())
                        .anyMatch(e -> e.getClassName().contains("Hikari")))
                .toList();
    }

    @Test
    void aRunThatHasToAskAgainKeepsItsConnectionAndGivesItBack() throws Exception {
        try (var refrain = Refrain.using(store)) {
            var call = Call.of("tenant", "key", "{\"amount\":1}");
            assertThatThrownBy(() -> refrain.operation("pay", String.class)
                            .leased(TakeOver.RESUME)
                            .run(call, claim -> {
                                throw new IllegalStateException("released");
                            }))
                    .isInstanceOf(IllegalStateException.class);
            var later = refrain.operation("pay", String.class)
                    .fingerprint(Fingerprinter.builder().exclude("/note").build())
                    .transactional(store.transactions());

            assertThat(later.run(call, (claim, connection) -> "ran")).isEqualTo("ran");
            assertThat(one.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void workThatLeavesAnInterruptBehindIsSettledAllTheSame() throws Exception {
        try (var refrain = Refrain.using(store)) {
            var pay = refrain.operation("pay", String.class).transactional(store.transactions());
            var interrupted = threads.submit(() -> {
                var answer = pay.run(Call.of("tenant", "key", "x"), (claim, connection) -> {
                    pay(connection, "k");
                    Thread.currentThread().interrupt();
                    return "paid";
                });
                return answer + ", interrupted: " + Thread.interrupted();
            });
            assertThat(interrupted.get(20, TimeUnit.SECONDS)).isEqualTo("paid, interrupted: true");
            assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(1);
        }
    }
}
