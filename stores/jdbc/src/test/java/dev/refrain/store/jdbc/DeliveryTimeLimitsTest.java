package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wait of a delivery in a transaction ends within its patience: on a network that fell silent nothing else would end it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeliveryTimeLimitsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final String url = TestDatabases.emptiedPostgres();
    private final LossyProxy proxy = new LossyProxy(LossyProxy.port(url));
    private final HikariDataSource pool = pool();
    private final JdbcStore store = JdbcStore.builder(pool)
            .dedicatedDataSource(TestDatabases.postgres(url))
            .build();
    private final OutboxStore<Connection> outbox = store.outbox();

    private HikariDataSource pool() {
        var config = new HikariConfig();
        config.setJdbcUrl(LossyProxy.through(url, proxy));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(LONG.toMillis());
        config.setValidationTimeout(LONG.toMillis() - 1);
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        proxy.breakOff();
        // A pool that is closed waits for the connection that it is opening.
        proxy.heal();
        store.close();
        pool.close();
        proxy.close();
    }

    private List<MessageSettlement.Delivered> messages(int count) throws SQLException {
        try (var connection = TestDatabases.postgres(url).getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < count; i++) {
                outbox.stage(
                        connection,
                        new StagedMessage(
                                ExecutionEnvironment.system().newNonce(), "t", null, Payload.of(new byte[] {1})));
            }
            connection.commit();
        }
        return outbox.leaseMessages(new MessageLeaseRequest("t", LONG, 10, 10, Long.MAX_VALUE)).stream()
                .map(taken -> new MessageSettlement.Delivered(taken.row(), Duration.ZERO))
                .toList();
    }

    @Test
    void connectionThatThePoolValidatesIsWaitedForNoLongerThanThePatience() throws Exception {
        try (var idle = pool.getConnection()) {
            assertThat(idle.isValid(1)).isTrue();
        }
        // The pool validates connections that were not used for half a second.
        long used = System.nanoTime();
        await().until(() -> System.nanoTime() - used > Duration.ofMillis(700).toNanos());
        proxy.fallSilent();

        assertThatThrownBy(() -> outbox.begin(TIMEOUT))
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .satisfies(e -> assertThat(e.isTransient()).isTrue());
    }

    /** One message is settled and committed in one round trip, of which nobody knows whether it happened; several in two. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void settlementOnASilentNetworkEnds(int count) throws Exception {
        var delivered = messages(count);
        try (var delivery = outbox.begin(TIMEOUT)) {
            proxy.fallSilent();

            assertThatThrownBy(() -> delivery.settleAndCommit(delivered))
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(count == 1 ? Effect.UNKNOWN : Effect.NONE));
        }
        nothingIsLost();
    }

    @Test
    void rollbackOnASilentNetworkEnds() throws Exception {
        try (var delivery = outbox.begin(TIMEOUT)) {
            try (var statement = delivery.connection().createStatement()) {
                statement.execute("CREATE TABLE never (id int)");
            }
            proxy.fallSilent();
        }
        nothingIsLost();
    }

    private void nothingIsLost() throws SQLException {
        proxy.heal();
        try (var again = outbox.begin(LONG);
                var statement = again.connection().createStatement()) {
            assertThat(statement.execute("SELECT 1")).isTrue();
        }
    }
}
