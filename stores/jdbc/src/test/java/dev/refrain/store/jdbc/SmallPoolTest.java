package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.store.jdbc.internal.connection.PoolShare;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A pool that the application shares with the store, and that leaves it hardly any connection. */
class SmallPoolTest {

    private final String url = TestDatabases.emptiedPostgres();

    private HikariDataSource pool(int size) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(size);
        return pool;
    }

    private static List<String> warnings(Callable<?> action) {
        return MigratorLog.during(PoolShare.class, action);
    }

    @Test
    void storeWarnsOfAPoolThatLeavesTheApplicationFewConnections() {
        try (var small = pool(7)) {
            assertThat(warnings(() -> {
                        JdbcStore.on(small).close();
                        return null;
                    }))
                    .singleElement()
                    .asString()
                    .startsWith("Refrain holds up to 5 connections, the pool has 7, 2 are left for the application: ")
                    .contains("Make the pool larger", "dedicatedDataSource");
        }
    }

    @Test
    void relayIsCountedTogetherWithTheConnectionThatListens() {
        try (var medium = pool(8)) {
            var opened = new JdbcStore[1];
            assertThat(warnings(() -> opened[0] = JdbcStore.on(medium))).isEmpty();
            try (var store = opened[0]) {
                assertThat(warnings(() -> {
                            store.outbox().subscribeToCommits(topic -> {}).close();
                            return null;
                        }))
                        .singleElement()
                        .asString()
                        .startsWith("Refrain holds up to 7 connections, the pool has 8, 1 are left");
            }
        }
    }

    @Test
    void storeWithConnectionsOfItsOwnWarnsOfNothing() {
        try (var application = pool(2);
                var own = pool(5)) {
            assertThat(warnings(() -> {
                        JdbcStore.builder(application)
                                .dedicatedDataSource(own)
                                .build()
                                .close();
                        return null;
                    }))
                    .isEmpty();
        }
    }
}
