package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.WorkRolledBackException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limits of {@link TransactionTimeLimitsTest} on MariaDB: every wait ends within its patience, a run at its maximum run time. */
@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlTimeLimitsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMillis(600);

    /** Far from the minute that the work, a lock or the pool would take. */
    private static final Duration SOON = Duration.ofSeconds(30);

    private final String url = MariadbServer.shared().freshDatabase();
    private final RawSql sql = new RawSql(MariadbServer.dataSource(url));
    private HikariDataSource pool;
    private JdbcStore store;

    @BeforeEach
    void open() {
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
        pool = pool(url);
        store = JdbcStore.builder(pool).dedicatedDataSource(sql.source()).build();
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    private static HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(60_000);
        return new HikariDataSource(config);
    }

    private static TransactionalOperation<String, Connection> pay(
            JdbcStore store, UnaryOperator<Operation<String>> settings) {
        return settings.apply(
                        Refrain.using(store).operation("pay", String.class).storeTimeout(PATIENCE))
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

    /** What work may do for too long. */
    enum SlowWork {
        IN_THE_DATABASE,
        IN_JAVA,
        AND_THEN_SUCCEEDS;

        String run(Connection connection) throws Exception {
            insert(connection, "paid");
            switch (this) {
                case IN_THE_DATABASE -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("SELECT SLEEP(60)");
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
    void runPastItsMaximumRunTimeIsRolledBackAndItsKeyIsFree(SlowWork work) throws Exception {
        var pay = pay(store, o -> o.lease(LONGEST).maxRunTime(LONGEST));
        long begun = System.nanoTime();

        assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> work.run(connection)))
                .isInstanceOf(RunTimeExceededException.class);

        assertThat(since(begun)).isBetween(LONGEST, SOON);
        assertThat(Thread.interrupted()).isFalse();
        await().until(() ->
                sql.number("SELECT count(*) FROM information_schema.processlist WHERE info = 'SELECT SLEEP(60)'") == 0);
        assertThat(sql.number("SELECT count(*) FROM payment")).isZero();
        var later = pay(store, o -> o);
        await().ignoreExceptions()
                .until(() -> later.run(call("k"), (claim, connection) -> insert(connection, "again"))
                        .equals("again"));
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(1);
    }

    @Test
    void connectionIsWaitedForNoLongerThanThePatience() throws Exception {
        try (var first = pool.getConnection();
                var second = pool.getConnection()) {
            noEffectInTime();
            assertThat(first.isValid(1) && second.isValid(1)).isTrue();
        }
        assertThat(pay(store, o -> o).run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .isEqualTo("paid");
    }

    @Test
    void lockOfTheTableIsWaitedForNoLongerThanThePatience() throws Exception {
        try (var blocker = sql.source().getConnection();
                var lock = blocker.createStatement()) {
            lock.execute("LOCK TABLES refrain_record WRITE");
            noEffectInTime();
        }
        var pay = pay(store, o -> o);
        await().ignoreExceptions()
                .until(() -> pay.run(call("k"), (claim, connection) -> insert(connection, "paid"))
                        .equals("paid"));
    }

    private void noEffectInTime() {
        var pay = pay(store, o -> o);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> insert(connection, "paid")))
                .asInstanceOf(type(StoreException.class))
                .returns(Effect.NONE, StoreException::effect)
                .returns(true, StoreException::isTransient);
        assertThat(since(begun)).isLessThan(SOON);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Its outcome was not sent yet: here the transaction is asked first whether it is still there. */
    @Test
    void runOnANetworkThatFallsSilentEndsAsRolledBack() throws Exception {
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.builder(MariadbServer.dataSource(LossyProxy.through(url, proxy)))
                        .dedicatedDataSource(sql.source())
                        .build()) {
            var pay = pay(lossy, o -> o);
            pay.run(call("before"), (claim, connection) -> insert(connection, "before"));
            long begun = System.nanoTime();

            assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> {
                        insert(connection, "paid");
                        proxy.fallSilent();
                        return "paid";
                    }))
                    .isInstanceOf(WorkRolledBackException.class);

            assertThat(since(begun)).isLessThan(SOON);
            proxy.heal();
        }
    }

    @Test
    void commitOnASilentNetworkEndsAsUnknown() throws Exception {
        var wish = ClaimRequestFixtures.claimRequest("k");
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.builder(MariadbServer.dataSource(LossyProxy.through(url, proxy)))
                        .dedicatedDataSource(sql.source())
                        .build();
                var transaction = lossy.transactions().begin(new TransactionLimits(PATIENCE, SOON))) {
            var record = ClaimRequestFixtures.record(transaction.tryClaim(wish), true);
            insert(transaction.connection(), "paid");
            transaction.complete(wish, record, ClaimRequestFixtures.payload("paid"));
            proxy.fallSilent();
            long begun = System.nanoTime();

            assertThatThrownBy(transaction::commit)
                    .asInstanceOf(type(StoreException.class))
                    .returns(Effect.UNKNOWN, StoreException::effect);

            assertThat(since(begun)).isLessThan(SOON);
            proxy.heal();
        }
    }
}
