package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.CommitRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TransactionLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Every wait of a transactional run ends within its patience, and the run itself at its maximum run time. */
class TransactionTimeLimitsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Far above the patience, so that a busy machine fails no test, and far below every timeout that would end a wait instead of it. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final Duration TIMEOUT_OF_POOL = Duration.ofMinutes(2);
    private static final Duration LONGEST = Duration.ofMillis(600);

    @TempDir
    Path directory;

    private final List<RefrainEvent> events = new CopyOnWriteArrayList<>();
    private String url;
    private RawSql sql;
    private HikariDataSource pool;
    private JdbcStore store;

    @BeforeEach
    void open() {
        url = TestDatabases.emptiedPostgres();
        sql = new RawSql(TestDatabases.postgres(url));
        sql.execute("CREATE TABLE payment (id text, account text)");
        pool = hikari(url);
        store = JdbcStore.builder(pool)
                .dedicatedDataSource(TestDatabases.postgres(url))
                .build();
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    /** A pool whose own timeout is far longer than anybody's patience. */
    private static HikariDataSource hikari(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(TIMEOUT_OF_POOL.toMillis());
        config.setValidationTimeout(SOON.multipliedBy(2).toMillis());
        return new HikariDataSource(config);
    }

    /** A store whose transactions are on connections over a network that can fall silent. */
    private record LossyStore(LossyProxy proxy, HikariDataSource pool, JdbcStore store) implements AutoCloseable {

        static LossyStore open(String url) throws IOException {
            var proxy = new LossyProxy(LossyProxy.port(url));
            var pool = hikari(LossyProxy.through(url, proxy));
            return new LossyStore(
                    proxy,
                    pool,
                    JdbcStore.builder(pool)
                            .dedicatedDataSource(TestDatabases.postgres(url))
                            .build());
        }

        @Override
        public void close() throws IOException {
            store.close();
            pool.close();
            proxy.close();
        }
    }

    private TransactionalOperation<String, Connection> pay(JdbcStore store, UnaryOperator<Operation<String>> settings) {
        var refrain = Refrain.using(store, RefrainSettings.defaults().with(events::add));
        return settings.apply(refrain.operation("pay", String.class).storeTimeout(PATIENCE))
                .transactional(store.transactions());
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("tenant").key(key).request("7 EUR");
    }

    private static String insert(Connection connection, String id) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO payment VALUES (?, 'a')")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
        return id;
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** What work may do for too long. */
    enum LongWork {
        IN_THE_DATABASE,
        IN_JAVA,
        AND_THEN_SUCCEEDS;

        String run(Connection connection) throws Exception {
            insert(connection, "paid");
            switch (this) {
                case IN_THE_DATABASE -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("SELECT pg_sleep(60)");
                    }
                }
                case IN_JAVA -> new CountDownLatch(1).await();
                case AND_THEN_SUCCEEDS -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException ignored) {
                        return "paid";
                    }
                }
            }
            return "paid";
        }
    }

    @ParameterizedTest
    @EnumSource
    void runPastItsMaximumRunTimeIsRolledBackAndItsCallEnds(LongWork work) throws Exception {
        var pay = pay(store, o -> o.lease(LONGEST).maxRunTime(LONGEST));
        long begun = System.nanoTime();

        assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> work.run(connection)))
                .isInstanceOf(RunTimeExceededException.class);

        assertThat(since(begun)).isBetween(LONGEST, SOON);
        assertThat(Thread.interrupted()).isFalse();
        await().until(() -> events.stream().anyMatch(RefrainEvent.MaxRunTimeExceeded.class::isInstance));
        await().until(() -> sql.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE '%pg_sleep(60)' AND pid <> pg_backend_pid()")
                == 0);
        assertThat(sql.number("SELECT count(*) FROM payment")).isZero();
        // The key is locked until the server has seen that the client of the aborted transaction is gone.
        await().until(() -> sql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == 0);
        assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "again")))
                .isEqualTo("again");
    }

    @Test
    void connectionIsWaitedForNoLongerThanThePatience() throws Exception {
        var pay = pay(store, o -> o);
        try (var first = pool.getConnection();
                var second = pool.getConnection()) {
            noConnectionInTime(pay);
            assertThat(first.isValid(1) && second.isValid(1)).isTrue();
        }
        assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .isEqualTo("paid");
    }

    private static void noConnectionInTime(TransactionalOperation<String, Connection> pay) {
        long begun = System.nanoTime();
        assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .satisfies(e -> assertThat(e.isTransient()).isTrue());
        assertThat(since(begun)).isLessThan(SOON);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Takes the only connection of a pool, which a busy machine may not have made by its timeout. */
    private static Connection firstOf(OtherPool.OpenPool other) {
        var taken = new AtomicReference<Connection>();
        await().ignoreExceptions().until(() -> {
            taken.set(other.source().getConnection());
            return true;
        });
        return taken.get();
    }

    @ParameterizedTest
    @EnumSource
    void poolsThatTimeOutHaveNoConnection(OtherPool kind) throws Exception {
        for (var timeout : List.of(Duration.ofMillis(300), TIMEOUT_OF_POOL)) {
            try (var other = kind.open(url, timeout);
                    var theirs = JdbcStore.builder(other.source())
                            .dedicatedDataSource(TestDatabases.postgres(url))
                            .build();
                    var only = firstOf(other)) {
                noConnectionInTime(pay(theirs, o -> o));
                assertThat(only.isValid(1)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolsThatTimeOutHaveNoConnectionForAPhaseOrADelivery(OtherPool kind) throws Exception {
        try (var other = kind.open(url, Duration.ofMillis(300));
                var theirs = JdbcStore.builder(other.source())
                        .dedicatedDataSource(TestDatabases.postgres(url))
                        .build();
                var only = firstOf(other)) {
            for (Runnable begin : List.<Runnable>of(
                    () -> theirs.transactions().beginPhase(),
                    () -> theirs.outbox().begin())) {
                assertThatThrownBy(begin::run)
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                        .satisfies(e -> assertThat(e.isTransient()).isTrue());
            }
            assertThat(only.isValid(1)).isTrue();
        }
    }

    @Test
    void lockOfTheTableIsWaitedForNoLongerThanThePatience() throws Exception {
        var pay = pay(store, o -> o);
        try (var blocker = TestDatabases.postgres(url).getConnection()) {
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE refrain_record IN ACCESS EXCLUSIVE MODE");
            noConnectionInTime(pay);
            blocker.rollback();
        }
        assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .isEqualTo("paid");
    }

    /** HikariCP validates each idle connection for its timeout, and then the next one, on a thread that no interrupt reaches there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void poolThatValidatesOnASilentNetworkIsWaitedForNoLongerThanThePatience(boolean platform) throws Exception {
        try (var lossy = LossyStore.open(url)) {
            var pay = pay(lossy.store(), o -> o);
            idle(lossy.pool());
            lossy.proxy().fallSilent();

            var waiting = new FutureTask<Void>(() -> {
                noConnectionInTime(pay);
                assertThatThrownBy(() -> lossy.store()
                                .transactions()
                                .beginPhase("tenant", false, new TransactionLimits(PATIENCE, SOON))
                                .close())
                        .isInstanceOf(StoreException.class);
                return null;
            });
            (platform ? Thread.ofPlatform() : Thread.ofVirtual()).start(waiting);
            waiting.get(2, TimeUnit.MINUTES);

            lossy.proxy().heal();
            await().atMost(SOON.multipliedBy(10))
                    .ignoreExceptions()
                    .until(() -> pay.run(call("k"), (claim, connection) -> insert(connection, "paid"))
                            .equals("paid"));
            // Nothing that was borrowed for those who gave up is lost.
            await().until(() -> lossy.pool().getHikariPoolMXBean().getActiveConnections() == 0);
            await().until(() -> !threads().contains("refrain-borrow"));
        }
    }

    /** Virtual threads too. */
    private String threads() throws IOException {
        var file = directory.resolve("threads-" + System.nanoTime());
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        return Files.readString(file);
    }

    /** Fills a pool with connections that it validates before it gives them: those that were not used for half a second. */
    private static void idle(HikariDataSource pool) throws Exception {
        try (var first = pool.getConnection();
                var second = pool.getConnection()) {
            assertThat(first.isValid(1) && second.isValid(1)).isTrue();
        }
        long used = System.nanoTime();
        await().until(() -> since(used).compareTo(Duration.ofMillis(600)) > 0);
    }

    @Test
    void commitOnASilentNetworkEndsAsUnknown() throws Exception {
        try (var lossy = LossyStore.open(url)) {
            var pay = pay(lossy.store(), o -> o);
            pay.run(call("before"), (claim, connection) -> insert(connection, "before"));
            var silentSince = new long[1];

            assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> {
                        insert(connection, "paid");
                        lossy.proxy().fallSilent();
                        silentSince[0] = System.nanoTime();
                        return "paid";
                    }))
                    .isInstanceOf(OutcomeUnknownException.class);

            assertThat(since(silentSince[0])).isLessThan(SOON);
            lossy.proxy().heal();
        }
    }

    /** A pool that looks at its connections neither when it gives them nor when it gets them back. */
    @Test
    void connectionThatDiedInItsPoolIsReplacedBeforeAnythingRan() throws Exception {
        try (var other = OtherPool.DBCP2.open(url, Duration.ofSeconds(1));
                var theirs = JdbcStore.builder(other.source())
                        .dedicatedDataSource(TestDatabases.postgres(url))
                        .build()) {
            var pay = pay(theirs, o -> o);
            pay.run(call("before"), (claim, connection) -> insert(connection, "before"));
            int backend;
            try (var connection = other.source().getConnection()) {
                backend = connection.unwrap(PGConnection.class).getBackendPID();
            }
            sql.execute("SELECT pg_terminate_backend(" + backend + ", 5000)");

            assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                    .isEqualTo("paid");
        }
    }

    @Test
    void deferredConstraintThatIsViolatedIsTheWorksOwnFailure() throws Exception {
        sql.execute("CREATE TABLE account (id text PRIMARY KEY)");
        sql.execute("ALTER TABLE payment ADD FOREIGN KEY (account) REFERENCES account DEFERRABLE INITIALLY DEFERRED");
        var pay = pay(store, o -> o);

        assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .isInstanceOf(CommitRejectedException.class)
                .hasRootCauseInstanceOf(SQLException.class);

        assertThat(sql.number("SELECT count(*) FROM payment")).isZero();
        sql.execute("INSERT INTO account VALUES ('a')");
        assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .isEqualTo("paid");
    }
}
