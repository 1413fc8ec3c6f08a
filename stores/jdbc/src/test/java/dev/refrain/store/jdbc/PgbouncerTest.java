package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.TwinTraffic.KEYS;
import static dev.refrain.store.jdbc.TwinTraffic.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.PgbouncerServer;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreAbility;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A PgBouncer in transaction mode between two instances and PostgreSQL, with a quarter of the connections that they have. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "takes longer: -Plong")
@EnabledIf(
        value = "dev.refrain.servers.PgbouncerServer#isAvailable",
        disabledReason = "needs PgBouncer: Debian's package pgbouncer")
class PgbouncerTest {

    private static final int CONNECTIONS = 5;

    private final PostgresServer server = PostgresServer.start();
    private final String url = server.freshDatabase();
    private final DataSource direct = TestDatabases.postgres(url);
    private final PgbouncerServer pooler = PgbouncerServer.before(url, CONNECTIONS);
    private final DataSource pooled = TestDatabases.postgres(pooler.url());

    @AfterEach
    void close() {
        pooler.close();
        server.close();
    }

    /** Returns when a quarter is answered. */
    private List<Future<?>> sendThroughPooler(TwinTraffic traffic) {
        var first = traffic.instance(pooler.url(), pooled);
        var second = traffic.instance(pooler.url(), pooled);
        var sent = new ArrayList<>(first.send());
        sent.addAll(second.send());
        traffic.awaitAnswered(KEYS);
        return sent;
    }

    @Test
    void twinsThatShareItsConnectionsTakeEffectOnce() throws Exception {
        try (var traffic = new TwinTraffic()) {
            var sent = sendThroughPooler(traffic);
            assertThat(new RawSql(direct)
                            .number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND pid <> pg_backend_pid()"))
                    .isBetween(1L, (long) CONNECTIONS);
            awaitAll(sent);

            traffic.assertNothingDoubledAndNothingLost(direct);
        }
    }

    @Test
    void poolerThatIsKilledUnderLoadLosesAndDoublesNothing() throws Exception {
        try (var traffic = new TwinTraffic()) {
            var sent = sendThroughPooler(traffic);
            pooler.killHard();
            pooler.restart();
            awaitAll(sent);

            traffic.assertNothingDoubledAndNothingLost(direct);
        }
    }

    @Test
    void directConnectionForListeningHearsBesideThePooler() throws Exception {
        try (var store = JdbcStore.builder(pooled).listeningDataSource(direct).build();
                var other = JdbcStore.on(pooled)) {
            assertThat(StoreAbility.WAKEUPS.isIn(other)).isFalse();
            var claimed = acquired(other, claimRequest("key-1"));
            try (var watch = new RecordedWakeups(store, claimed.lookup())) {
                other.write(List.of(complete(claimed.claim(), "paid")));
                watch.awaitOne();
            }
        }
    }
}
