package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RequestMismatchException;
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

/**
 * Two instances of an application that are sent the same keys at once, transactional and leased, by clients that retry until they are answered; something may
 * befall the database meanwhile.
 */
final class TwinTraffic implements AutoCloseable {

    static final int KEYS = 120;

    private static final int THREADS = 6;

    /** Longer than any outage here: what runs again was taken over wrongly. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AppInstance> instances = new ArrayList<>();

    /** One process of the application. */
    final class AppInstance {

        private final HikariDataSource pool;
        private final JdbcStore store;
        private final Refrain refrain;

        private AppInstance(String url, DataSource dedicated) {
            var config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setMaximumPoolSize(THREADS);
            config.setConnectionTimeout(10_000);
            pool = new HikariDataSource(config);
            store = JdbcStore.builder(pool).dedicatedDataSource(dedicated).build();
            refrain = Refrain.using(store, RefrainSettings.defaults());
        }

        String pay(String key) throws Exception {
            return refrain.operation("pay", String.class)
                    .lease(LEASE)
                    .maxRunTime(LEASE)
                    .transactional(store.transactions())
                    .run(call(key), (claim, connection) -> insert(connection, key));
        }

        String run(String key) throws Exception {
            return refrain.operation("call", String.class)
                    .lease(LEASE)
                    .maxRunTime(LEASE)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(call(key), claim -> {
                        runs.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
                        return UUID.randomUUID().toString();
                    });
        }

        /** Sends all keys by some threads, each until it is answered. */
        List<Future<?>> send() {
            var keys = new ArrayList<Callable<Void>>();
            for (int i = 0; i < KEYS; i++) {
                String paid = "paid-" + i;
                String called = "called-" + i;
                keys.add(() -> answer(paid, () -> pay(paid)));
                keys.add(() -> answer(called, () -> run(called)));
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

        private void close() {
            refrain.close();
            store.close();
            pool.close();
        }
    }

    /** Starts an instance, and makes the table of its payments if that is missing. */
    AppInstance instance(String url, DataSource dedicated) {
        new RawSql(dedicated)
                .execute("CREATE TABLE IF NOT EXISTS payment (id VARCHAR(50) PRIMARY KEY, paid_for VARCHAR(50))");
        var instance = new AppInstance(url, dedicated);
        instances.add(instance);
        return instance;
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

    void awaitAnswered(int count) {
        await().atMost(PATIENCE).until(() -> answered.get() >= count);
    }

    static void awaitAll(List<Future<?>> sent) throws Exception {
        for (var thread : sent) {
            thread.get();
        }
    }

    /** Each key has one answer for all its callers, one payment or run, and one outcome, the same on every node. */
    void assertNothingDoubledAndNothingLost(DataSource... nodes) {
        assertThat(answers)
                .hasSize(2 * KEYS)
                .allSatisfy((key, given) -> assertThat(given).as(key).hasSize(1));
        assertThat(runs)
                .hasSize(KEYS)
                .allSatisfy((key, count) -> assertThat(count).as(key).hasValue(1));
        for (var node : nodes) {
            var sql = new RawSql(node);
            await().atMost(PATIENCE)
                    .until(() -> sql.number("SELECT count(*) FROM refrain_record WHERE state = 2") == 2 * KEYS);
            assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(KEYS);
            for (int i = 0; i < KEYS; i++) {
                assertThat(answers.get("paid-" + i))
                        .containsExactly(sql.text("SELECT id FROM payment WHERE paid_for = 'paid-" + i + "'"));
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        instances.forEach(AppInstance::close);
    }
}
