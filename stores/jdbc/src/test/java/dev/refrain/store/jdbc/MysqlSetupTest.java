package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequestOf;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store on MySQL or MariaDB makes of a database, a user and a session that it comes to. */
@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlSetupTest {

    private static final MariadbServer SERVER = MariadbServer.shared();

    private final String url = SERVER.freshDatabase();
    private final RawSql sql = new RawSql(MariadbServer.dataSource(url));

    private String database() {
        return url.replaceFirst("^.*/([^/?]+)\\?.*$", "$1");
    }

    @Test
    void instancesThatStartAtOnceOnAnEmptyDatabaseAllStart() throws Exception {
        var barrier = new CyclicBarrier(3);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var starts = new ArrayList<Future<JdbcStore>>();
            for (int i = 0; i < 3; i++) {
                starts.add(threads.submit(() -> {
                    barrier.await();
                    return JdbcStore.on(sql.source());
                }));
            }
            for (int i = 0; i < 3; i++) {
                try (var store = starts.get(i).get()) {
                    acquired(store, claimRequest("k" + i));
                }
            }
        }
    }

    /** Each statement that makes a table commits by itself. */
    @Test
    void migrationThatBrokeOffInTheMiddleIsMadeWhole() {
        JdbcStore.on(sql.source()).close();
        sql.execute("DROP TABLE refrain_ledger");
        sql.execute("DROP TABLE refrain_audit");
        sql.execute("DELETE FROM refrain_meta");

        assertThatThrownBy(() -> JdbcStore.builder(sql.source()).migrate(false).build())
                .hasMessageContaining("tables are missing");
        try (var store = JdbcStore.on(sql.source())) {
            acquired(store, claimRequest("k"));
        }
        assertThat(SchemaVersion.of(sql.source(), "").version()).isEqualTo(SchemaMigrator.LATEST);
    }

    @Test
    void schemaOfTheStoreIsRefusedWithAdvice() {
        assertThatThrownBy(() -> JdbcStore.builder(sql.source()).schema("shop").build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("name the database in the JDBC URL");
    }

    @Test
    void userWithoutPrivilegesIsToldWhichAndWithThemHeStarts() {
        sql.execute("DROP USER IF EXISTS 'limited'@'127.0.0.1'");
        sql.execute("CREATE USER 'limited'@'127.0.0.1' IDENTIFIED BY 'secret'");
        sql.execute("GRANT SELECT ON `" + database() + "`.* TO 'limited'@'127.0.0.1'");
        var limited = MariadbServer.dataSource(SERVER.urlFor(database(), "limited", "secret"));

        String create = "GRANT CREATE, INDEX, SELECT, INSERT, UPDATE, DELETE ON `" + database()
                + "`.* TO 'limited'@'127.0.0.1';";
        assertThatThrownBy(() -> JdbcStore.on(limited))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(create);
        sql.execute(create);
        try (var store = JdbcStore.builder(limited).createBrowsingIndex(true).build()) {
            acquired(store, claimRequest("k"));
            store.sweep(Duration.ZERO, 10);
            store.reap(10);
        }
    }

    @Test
    void userOfTablesThatOthersMadeNeedsNoMoreThanTheGrantsNamed() {
        JdbcStore.on(sql.source()).close();
        sql.execute("DROP USER IF EXISTS 'app'@'127.0.0.1'");
        sql.execute("CREATE USER 'app'@'127.0.0.1' IDENTIFIED BY 'secret'");
        sql.execute("GRANT SELECT ON `" + database() + "`.refrain_meta TO 'app'@'127.0.0.1'");
        var app = MariadbServer.dataSource(SERVER.urlFor(database(), "app", "secret"));
        // Who may not write records only reads.
        try (var store = JdbcStore.builder(app).migrate(false).build()) {
            assertThatThrownBy(() -> acquired(store, claimRequest("k"))).hasMessageContaining("grant it");
        }
        assertThatThrownBy(() -> JdbcStore.builder(app)
                        .migrate(false)
                        .requireWrites(true)
                        .build())
                .hasMessageContaining("GRANT SELECT, INSERT, UPDATE, DELETE ON `" + database()
                        + "`.refrain_record TO 'app'@'127.0.0.1';");
        SchemaMigrator.TABLES.stream()
                .filter(table -> !table.equals("refrain_waiter"))
                .forEach(table -> sql.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON `" + database() + "`." + table
                        + " TO 'app'@'127.0.0.1'"));
        try (var store = JdbcStore.builder(app).migrate(false).build()) {
            acquired(store, claimRequest("k"));
            store.sweep(Duration.ZERO, 10);
            store.reap(10);
            store.ability(RecordEraser.class)
                    .orElseThrow()
                    .erase(new ErasureRequest(new ErasureRequest.OfScope("tenant"), "who", "why", 100));
        }
    }

    /** A console or a command line beside a replica. */
    @Test
    void readOnlyServerServesReaders() {
        try (var primary = JdbcStore.on(sql.source())) {
            acquired(primary, claimRequest("k"));
        }
        sql.execute("DROP USER IF EXISTS 'reader'@'127.0.0.1'");
        sql.execute("CREATE USER 'reader'@'127.0.0.1' IDENTIFIED BY 'secret'");
        sql.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON `" + database() + "`.* TO 'reader'@'127.0.0.1'");
        sql.execute("SET GLOBAL read_only = 1");
        var reader = MariadbServer.dataSource(SERVER.urlFor(database(), "reader", "secret"));
        try (var replica = JdbcStore.builder(reader).requireWrites(true).build()) {
            assertThat(replica.find(List.of(claimRequest("k").identity())).getFirst())
                    .isPresent();
            assertThatThrownBy(() -> acquired(replica, claimRequest("another")))
                    .hasMessageContaining("connect to the primary");
        } finally {
            sql.execute("SET GLOBAL read_only = 0");
        }
    }

    /** Its completions would fail after the work. */
    @ParameterizedTest
    @ValueSource(strings = {"SELECT", "INSERT", "UPDATE", "DELETE"})
    void userThatMayNotWriteAllTablesIsRefusedWithTheGrantsThatAreMissing(String privilege) {
        JdbcStore.on(sql.source()).close();
        sql.execute("DROP USER IF EXISTS 'partial'@'127.0.0.1'");
        sql.execute("CREATE USER 'partial'@'127.0.0.1' IDENTIFIED BY 'secret'");
        SchemaMigrator.TABLES.stream()
                .filter(table -> !table.equals("refrain_waiter"))
                .forEach(table -> sql.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON `" + database() + "`." + table
                        + " TO 'partial'@'127.0.0.1'"));
        sql.execute("REVOKE " + privilege + " ON `" + database() + "`.refrain_payload FROM 'partial'@'127.0.0.1'");
        var partial = MariadbServer.dataSource(SERVER.urlFor(database(), "partial", "secret"));

        String grant = "GRANT SELECT, INSERT, UPDATE, DELETE ON `" + database()
                + "`.refrain_payload TO 'partial'@'127.0.0.1';";
        assertThatThrownBy(() -> JdbcStore.builder(partial).migrate(false).build())
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith("Run as an administrator: " + grant);
        sql.execute(grant);
        try (var store = JdbcStore.builder(partial).migrate(false).build()) {
            acquired(store, claimRequest("k"));
        }
    }

    /** As long as the clock says UTC inside, the hour that comes twice is no different from any other. */
    @ParameterizedTest
    @ValueSource(strings = {"+00:00", "+05:45", "-11:00"})
    void timesAreThoseOfUtcWhateverTheSessionsZone(String zone) {
        var zoned = MariadbServer.dataSource(url + "&sessionVariables=time_zone='" + zone + "'");
        try (var store = JdbcStore.on(sql.source());
                var there = JdbcStore.builder(zoned)
                        .dedicatedDataSource(sql.source())
                        .build()) {
            long before = System.currentTimeMillis();
            var wish = claimRequest("k");
            try (var transaction = there.transactions().begin()) {
                transaction.complete(
                        wish,
                        ClaimRequestFixtures.record(transaction.tryClaim(wish), true),
                        ClaimRequestFixtures.payload("done"));
                transaction.commit();
            }
            long claimed = sql.number("SELECT claimed_at FROM refrain_record") / 1000;
            assertThat(claimed).isBetween(before - 60_000, System.currentTimeMillis() + 60_000);
            var found = ClaimRequestFixtures.found(store, retryOf(wish));
            assertThat(found.remainingLife().orElseThrow()).isBetween(Duration.ofHours(23), Duration.ofHours(24));
        }
    }

    /** A session that is not strict cuts what is too long, and one with another SQL mode takes bars for OR. */
    @Test
    void connectionsOfTheStoreAreStrictAndGoBackAsTheyCame() throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl(url + "&sessionVariables=sql_mode='',time_zone='+02:00'");
        config.setMaximumPoolSize(5);
        try (var pool = new HikariDataSource(config)) {
            String before;
            try (var one = pool.getConnection()) {
                before = settings(one);
            }
            try (var store =
                    JdbcStore.builder(sql.source()).dedicatedDataSource(pool).build()) {
                acquired(store, claimRequest("k"));
            }
            var all = new ArrayList<Connection>();
            for (int i = 0; i < 5; i++) {
                all.add(pool.getConnection());
                assertThat(settings(all.getLast())).isEqualTo(before);
            }
            for (var one : all) {
                one.close();
            }
        }
    }

    private static String settings(Connection connection) throws Exception {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT CONCAT_WS(' ', @@SESSION.sql_mode, @@SESSION.time_zone, @@SESSION.innodb_lock_wait_timeout)")) {
            row.next();
            return row.getString(1) + " " + connection.getTransactionIsolation();
        }
    }

    @Test
    void namesThatDifferInCaseOrBySpacesAtTheirEndAreOthers() {
        try (var store = JdbcStore.on(sql.source())) {
            for (var scope : List.of("acme", "ACME", "acme ", "acmé", "acme\u0301")) {
                for (var key : List.of("k", "K", "k ", "\uD83D\uDE00")) {
                    acquired(store, claimRequestOf(scope, key));
                }
            }
            assertThat(store.countKeys("acme", 100)).isEqualTo(4);
            assertThat(store.countKeys("acme ", 100)).isEqualTo(4);
        }
    }

    @Test
    void largestPayloadFitsIntoAPacketHoweverItsBytesAreEscaped() {
        try (var store = JdbcStore.on(sql.source())) {
            var claim = acquired(store, claimRequest("k")).claim();
            byte[] quotes = new byte[Math.min(8 << 20, store.traits().limits().payloadBytes())];
            Arrays.fill(quotes, (byte) '\'');
            assertThat(store.write(List.of(new RecordWrite.Complete(
                            claim, Optional.of(Payload.of(quotes)), Optional.of(Retention.FOREVER)))))
                    .containsExactly(new RecordWriteResponse.Written());
            assertThat(store.find(List.of(claimRequest("k").identity()))
                            .getFirst()
                            .orElseThrow()
                            .outcome()
                            .orElseThrow()
                            .bytes())
                    .isEqualTo(quotes);
        }
    }

    /** A row that the other one's claim has just met is locked for a moment: that write is sent again, as the batcher does. */
    private static void completeAll(JdbcStore store, List<ClaimRef> claims) {
        var left = claims.stream().map(c -> complete(c, "done")).toList();
        while (!left.isEmpty()) {
            var answers = store.write(left);
            var again = new ArrayList<RecordWrite.Complete>();
            for (int i = 0; i < left.size(); i++) {
                if (answers.get(i) instanceof RecordWriteResponse.Failed failed
                        && failed.failure().isTransient()) {
                    again.add(left.get(i));
                } else {
                    assertThat(answers.get(i)).isEqualTo(new RecordWriteResponse.Written());
                }
            }
            left = again;
        }
    }

    private long deadlocks() {
        return sql.number("SELECT count FROM information_schema.INNODB_METRICS WHERE name = 'lock_deadlocks'");
    }

    /** Rows locked in one order cannot deadlock. */
    @Test
    void batchesOfTheSameKeysInAnyOrderHaveOneOwnerEachAndNoDeadlock() throws Exception {
        long before = deadlocks();
        try (var first = JdbcStore.on(sql.source());
                var second = JdbcStore.on(sql.source());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var stores = List.of(first, second);
            for (int round = 0; round < 10; round++) {
                var wishes = claimRequests("round-" + round + "-", 40);
                var barrier = new CyclicBarrier(2);
                var answers = new ArrayList<Future<List<ClaimResponse>>>();
                for (int i = 0; i < 2; i++) {
                    var store = stores.get(i);
                    var mine = new ArrayList<>(
                            wishes.stream().map(ClaimRequestFixtures::retryOf).toList());
                    Collections.shuffle(mine, new Random(round * 2L + i));
                    answers.add(threads.submit(() -> {
                        barrier.await();
                        var answered = store.claim(mine);
                        var claims = answered.stream()
                                .filter(ClaimResponse.Acquired.class::isInstance)
                                .map(a -> ((ClaimResponse.Acquired) a).record().claim())
                                .toList();
                        completeAll(store, claims);
                        return answered;
                    }));
                }
                int acquired = 0;
                for (var answer : answers) {
                    assertThat(answer.get()).noneMatch(ClaimResponse.Failed.class::isInstance);
                    acquired += (int) answer.get().stream()
                            .filter(ClaimResponse.Acquired.class::isInstance)
                            .count();
                }
                assertThat(acquired).isEqualTo(40);
            }
        }
        assertThat(deadlocks()).isEqualTo(before);
    }
}
