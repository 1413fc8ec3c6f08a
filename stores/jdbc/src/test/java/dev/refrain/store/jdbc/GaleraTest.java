package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.servers.GaleraCluster;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Two instances on two nodes of a Galera cluster of three that run the same keys at once: each key takes effect once, and none is lost. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "starts a cluster: -Plong")
@EnabledIf(
        value = "dev.refrain.servers.GaleraCluster#isAvailable",
        disabledReason = "needs Galera: -Drefrain.test.galera.library=…")
class GaleraTest {

    private static final int KEYS = 120;
    private static final int THREADS = 6;

    /** Longer than any outage here: what runs again was taken over wrongly. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Instance of an application, whose driver goes to the next of these nodes if the first is gone. */
    private record ClusterInstance(HikariDataSource pool, JdbcStore store, Refrain refrain) implements AutoCloseable {

        static ClusterInstance on(GaleraCluster cluster, String database, Integer... nodes) {
            String url = cluster.url(List.of(nodes), database);
            var config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(THREADS);
            var pool = new HikariDataSource(config);
            var store = JdbcStore.builder(pool)
                    .dedicatedDataSource(MariadbServer.dataSource(url))
                    .build();
            return new ClusterInstance(pool, store, Refrain.using(store, RefrainSettings.defaults()));
        }

        String pay(String key) throws Exception {
            return refrain.operation("pay", String.class)
                    .lease(LEASE)
                    .maxRunTime(LEASE)
                    .transactional(store.transactions())
                    .run(call(key), (claim, connection) -> insert(connection, key));
        }

        String run(String key, Map<String, AtomicInteger> runs) throws Exception {
            return refrain.operation("call", String.class)
                    .lease(LEASE)
                    .maxRunTime(LEASE)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(call(key), claim -> {
                        runs.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
                        return UUID.randomUUID().toString();
                    });
        }

        @Override
        public void close() {
            refrain.close();
            store.close();
            pool.close();
        }
    }

    private final GaleraCluster cluster = GaleraCluster.start();
    private final String database = cluster.freshDatabase();
    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ClusterInstance first;
    private ClusterInstance second;

    @BeforeEach
    void open() {
        new RawSql(node(0)).execute("CREATE TABLE payment (id VARCHAR(50) PRIMARY KEY, paid_for VARCHAR(50))");
        first = ClusterInstance.on(cluster, database, 0, 2, 1);
        second = ClusterInstance.on(cluster, database, 1);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        second.close();
        first.close();
        cluster.close();
    }

    private DataSource node(int node) {
        return MariadbServer.dataSource(cluster.url(node, database));
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("tenant").key(key).request("7 EUR");
    }

    private static String insert(Connection connection, String key) throws SQLException {
        String id = UUID.randomUUID().toString();
        try (var insert = connection.prepareStatement("INSERT INTO payment VALUES (?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, key);
            insert.executeUpdate();
        }
        return id;
    }

    private static List<String> keys(String prefix) {
        return IntStream.range(0, KEYS).mapToObj(i -> prefix + i).toList();
    }

    /** Sends all keys by some threads, each until it is answered. */
    private List<Future<?>> send(ClusterInstance instance) {
        var keys = new ArrayList<Callable<Void>>();
        for (int i = 0; i < KEYS; i++) {
            String paid = "paid-" + i;
            String called = "called-" + i;
            keys.add(() -> answer(paid, () -> instance.pay(paid)));
            keys.add(() -> answer(called, () -> instance.run(called, runs)));
        }
        var next = new AtomicInteger();
        return IntStream.range(0, THREADS)
                .<Future<?>>mapToObj(t -> threads.submit(() -> {
                    for (int k = next.getAndIncrement(); k < keys.size(); k = next.getAndIncrement()) {
                        keys.get(k).call();
                    }
                    return null;
                }))
                .toList();
    }

    /** Retries as a client does. Whatever the database did, a key is neither another's nor one that nobody knows about. */
    private Void answer(String key, Callable<String> call) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsMatching(
                        e -> !(e instanceof RequestMismatchException || e instanceof AttentionRequiredException))
                .until(() -> {
                    answers.computeIfAbsent(key, k -> ConcurrentHashMap.newKeySet())
                            .add(call.call());
                    return true;
                });
        answered.incrementAndGet();
        return null;
    }

    private void awaitAnswered(int count) {
        await().atMost(PATIENCE).until(() -> answered.get() >= count);
    }

    private static void awaitAll(List<Future<?>> sent) throws Exception {
        for (var thread : sent) {
            thread.get();
        }
    }

    /** Each key has one answer for all its callers, one payment or run, and one outcome, the same on every node. */
    private void assertNothingDoubledAndNothingLost(int... nodes) {
        assertThat(answers)
                .hasSize(2 * KEYS)
                .allSatisfy((key, given) -> assertThat(given).as(key).hasSize(1));
        assertThat(runs)
                .hasSize(KEYS)
                .allSatisfy((key, count) -> assertThat(count).as(key).hasValue(1));
        for (int node : nodes) {
            var sql = new RawSql(node(node));
            await().atMost(PATIENCE)
                    .until(() -> sql.number("SELECT count(*) FROM refrain_record WHERE state = 2") == 2 * KEYS);
            assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(KEYS);
            for (String key : keys("paid-")) {
                assertThat(answers.get(key))
                        .containsExactly(sql.text("SELECT id FROM payment WHERE paid_for = '" + key + "'"));
            }
        }
    }

    private long conflicts() {
        long all = 0;
        for (int node = 0; node < cluster.size(); node++) {
            var sql = new RawSql(node(node));
            all += sql.number("SELECT sum(variable_value) FROM information_schema.global_status"
                    + " WHERE variable_name IN ('WSREP_LOCAL_CERT_FAILURES', 'WSREP_LOCAL_BF_ABORTS')");
        }
        return all;
    }

    @Test
    void twinsOnTwoNodesTakeEffectOnceAlthoughTheirCommitsConflict() throws Exception {
        var sent = new ArrayList<>(send(first));
        sent.addAll(send(second));
        awaitAll(sent);

        assertNothingDoubledAndNothingLost(0, 1, 2);
        assertThat(conflicts()).isPositive();
    }

    @Test
    void nodeThatIsKilledUnderLoadLosesAndDoublesNothing() throws Exception {
        var sent = new ArrayList<>(send(first));
        sent.addAll(send(second));
        awaitAnswered(KEYS);
        cluster.killHard(0);
        awaitAll(sent);

        assertNothingDoubledAndNothingLost(1, 2);
    }

    /** The node that is cut off answers nobody; the instance beside it waits, and finds what was done meanwhile. */
    @Test
    void nodeThatIsCutOffUnderLoadLosesAndDoublesNothing() throws Exception {
        var there = send(first);
        var cutOff = send(second);
        awaitAnswered(KEYS);
        cluster.cutOff(1);
        assertThatThrownBy(() -> second.pay("while-it-is-cut-off"))
                .asInstanceOf(type(StoreException.class))
                .returns(true, StoreException::isTransient)
                .returns(Effect.NONE, StoreException::effect);
        awaitAll(there);
        cluster.rejoin(1);
        awaitAll(cutOff);

        assertNothingDoubledAndNothingLost(0, 1, 2);
    }
}
