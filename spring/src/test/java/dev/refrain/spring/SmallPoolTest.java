package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.RefrainProperties.ConnectionSource;
import dev.refrain.store.StoreException;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The pool is the application's: a small one works too, and what Refrain holds is said, counted and limited. */
@ExtendWith(OutputCaptureExtension.class)
class SmallPoolTest {

    private static final String URL = PostgresServer.shared().freshDatabase();

    static class Meters {
        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    private static HikariDataSource pool(int size) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(URL);
        pool.setMaximumPoolSize(size);
        return pool;
    }

    /** More requests at once than there are connections, in both modes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void serviceWithSmallPoolAnswersEveryRequest(int size, CapturedOutput output) throws Exception {
        try (var application = StartTestApplication.start(
                        URL,
                        List.of(
                                "spring.datasource.hikari.maximum-pool-size=" + size,
                                "spring.datasource.hikari.connection-timeout=60000",
                                "refrain.http.store-timeout=60s"),
                        StartReportTest.Payments.class,
                        Meters.class);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(output.getAll())
                    .contains("Refrain holds up to 5 connections of a pool of its own, the pool has " + size + ", "
                            + size + " are left.");
            var answers = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 12; i++) {
                String key = size + "-key-" + i;
                String path = i % 2 == 0 ? "/payments" : "/charges";
                answers.add(
                        callers.submit(() -> application.post(path, key, "{}").statusCode()));
            }
            for (var answer : answers) {
                assertThat(answer.get()).isEqualTo(200);
            }
            assertThat(application
                            .context()
                            .getBean(MeterRegistry.class)
                            .get("refrain.store.connections.held")
                            .gauge()
                            .value())
                    .isEqualTo(ConnectionBudget.DEDICATED);
        }
    }

    @Test
    void storeHoldsAsManyConnectionsAsAreCounted() {
        try (var pool = pool(ConnectionBudget.DEDICATED + 1);
                var store = JdbcStore.on(pool)) {
            assertThat(store.heldConnections()).isEqualTo(ConnectionBudget.DEDICATED);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(ConnectionBudget.DEDICATED);
        }
    }

    @Test
    void sharedPoolThatLeavesNothingIsRefused() {
        try (var pool = pool(4)) {
            assertThatThrownBy(() -> StoreConnectionPool.of(
                            StorePlace.ofDefault("dataSource"), pool, ConnectionSource.SHARED, false, 0))
                    .isInstanceOf(RefrainStartException.class)
                    .hasMessageContainingAll(
                            "Refrain holds up to 5 connections, the pool has 4",
                            "spring.datasource.hikari.maximum-pool-size");
        }
    }

    @Test
    void sharedPoolThatLeavesLittleIsUsedWithWarning() throws Exception {
        try (var pool = pool(7);
                var captured = CapturedWarnings.of(StoreConnectionPool.class);
                var shared = StoreConnectionPool.of(
                        StorePlace.ofDefault("dataSource"), pool, ConnectionSource.SHARED, false, 0)) {
            assertThat(shared.held()).isSameAs(pool);
            assertThat(captured.messages())
                    .singleElement()
                    .asString()
                    .contains(
                            "Refrain holds up to 5 connections, the pool has 7, 2 are left: requests will wait",
                            "refrain.store.connections=separate");
        }
    }

    private static StoreConnectionPool chosen(DataSource source) {
        return StoreConnectionPool.of(StorePlace.ofDefault("dataSource"), source, ConnectionSource.AUTO, false, 0);
    }

    /** Proxies that observe or defer connections are around many pools, and cannot be copied. */
    @Test
    void poolInWrapperIsCountedToo() throws Exception {
        try (var four = pool(4)) {
            var wrapper = new DelegatingDataSource(four);
            assertThatThrownBy(() -> chosen(wrapper))
                    .isInstanceOf(RefrainStartException.class)
                    .hasMessageContainingAll(
                            "Refrain holds up to 5 connections, the pool has 4", "dedicatedDataSource");
            assertThatThrownBy(() -> JdbcStore.on(wrapper))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("none would be left for the application");
        }
        try (var five = pool(5);
                var captured = CapturedWarnings.of(StoreConnectionPool.class);
                var shared = chosen(new DelegatingDataSource(five));
                var store = JdbcStore.on(shared.held())) {
            assertThat(captured.messages())
                    .singleElement()
                    .asString()
                    .contains("the pool has 5, 0 are left: requests will wait", "dedicatedDataSource")
                    .doesNotContain("separate");
            assertThat(store.ability(WakeupChannel.class)).isEmpty();
        }
    }

    @Test
    void storeThatDoesNotListenIsCountedWithoutItsListeningConnection() throws Exception {
        for (String url : List.of("jdbc:mariadb://db/shop", "jdbc:mysql://db/shop")) {
            try (var pool = pool(10)) {
                pool.setJdbcUrl(url);
                try (var shared = chosen(pool)) {
                    assertThat(shared.budget())
                            .isEqualTo("Refrain holds up to 4 connections, the pool has 10, 6 are left");
                }
            }
        }
    }

    @Test
    void relayIsCounted() throws Exception {
        try (var pool = pool(10);
                var shared = StoreConnectionPool.of(
                        StorePlace.ofDefault("dataSource"), pool, ConnectionSource.AUTO, true, 0)) {
            assertThat(shared.budget()).isEqualTo("Refrain holds up to 7 connections, the pool has 10, 3 are left");
        }
    }
}
