package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.AbilityFlaw.instead;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.StoreAbility;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Whether anything can be heard is found out at the start, and where it cannot those who wait poll. */
class ListeningCheckTest {

    private final String url = TestDatabases.emptiedPostgres();
    private final DataSource direct = TestDatabases.postgres(url);
    private final Logger logger = Logger.getLogger(JdbcStoreBuilder.class.getName());
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    ListeningCheckTest() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopLogging() {
        logger.removeHandler(handler);
    }

    /** The driver is told another server process than the one that answers. */
    private DataSource pooled(boolean hearsNotifications) {
        return instead(DataSource.class, direct, "getConnection", (source, none) -> {
            var connection = source.getConnection();
            return instead(Connection.class, connection, "unwrap", (sound, type) -> {
                var driver =
                        instead(PGConnection.class, sound.unwrap(PGConnection.class), "getBackendPID", (pg, n) -> 0);
                return hearsNotifications
                        ? driver
                        : instead(PGConnection.class, driver, "getNotifications", (pg, wait) -> new PGNotification[0]);
            });
        });
    }

    @Test
    void behindAPoolerInTransactionModeThereAreNoWakeupsAndOneLineSaysSo() throws Exception {
        try (var store = JdbcStore.on(pooled(false));
                var other = JdbcStore.on(direct);
                var refrain = Refrain.using(store);
                var elsewhere = Refrain.using(other);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(StoreAbility.WAKEUPS.isIn(store)).isFalse();
            assertThat(logged).singleElement().asString().contains("PgBouncer").contains("listeningDataSource");

            var call = OperationCall.scope("tenant").key("key-1").request("10 EUR");
            var begun = new CountDownLatch(1);
            var end = new CountDownLatch(1);
            threads.submit(() -> elsewhere
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(call, claim -> {
                        begun.countDown();
                        end.await();
                        return "paid";
                    }));
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            var waiting = threads.submit(() -> refrain.operation("pay", String.class)
                    .waitWhileInFlight(Duration.ofMinutes(5))
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(call, claim -> "ran twice"));
            end.countDown();
            assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("paid");
        }
    }

    @Test
    void poolerInSessionModeIsHeardThrough() {
        try (var store = JdbcStore.on(pooled(true))) {
            assertThat(StoreAbility.WAKEUPS.isIn(store)).isTrue();
            assertThat(logged).isEmpty();
        }
    }

    @Test
    void directDataSourceForListeningHearsBesideThePooler() throws Exception {
        try (var store = JdbcStore.builder(pooled(false))
                        .listeningDataSource(direct)
                        .build();
                var other = JdbcStore.on(direct)) {
            assertThat(logged).isEmpty();
            var claimed = acquired(other, claimRequest("key-1"));
            try (var watch = new RecordedWakeups(store, claimed.lookup())) {
                other.write(List.of(complete(claimed.claim(), "paid")));
                watch.awaitOne();
            }
        }
    }

    @Test
    void poolWithoutRoomForOneMoreIsLeftToTheWork() {
        try (var small = new HikariDataSource();
                var large = new HikariDataSource()) {
            small.setJdbcUrl(url);
            small.setMaximumPoolSize(6);
            large.setJdbcUrl(url);
            large.setMaximumPoolSize(7);
            try (var store = JdbcStore.on(small)) {
                assertThat(StoreAbility.WAKEUPS.isIn(store)).isFalse();
                assertThat(logged)
                        .singleElement()
                        .asString()
                        .contains("pool of 6")
                        .contains("7 are needed");
            }
            try (var store = JdbcStore.on(large)) {
                assertThat(StoreAbility.WAKEUPS.isIn(store)).isTrue();
            }
        }
    }
}
