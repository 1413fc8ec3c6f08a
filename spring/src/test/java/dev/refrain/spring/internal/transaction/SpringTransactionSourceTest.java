package dev.refrain.spring.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.Outcome;
import dev.refrain.api.RunTimeExceededException;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Many callers and one connection: Spring's transaction moves from thread to thread, and nothing of a run moves with it. */
class SpringTransactionSourceTest {

    private static final int CALLERS = 40;
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final String url = PostgresServer.shared().freshDatabase();
    private final AtomicInteger borrowed = new AtomicInteger();
    private volatile int before;
    private final HikariDataSource pool = countingPool(url, borrowed);
    private final JdbcTemplate outside = new JdbcTemplate(direct(url));
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final JdbcTransactionManager manager = new JdbcTransactionManager(pool);
    private final TransactionTemplate annotated = new TransactionTemplate(manager);
    private final JdbcStore store =
            JdbcStore.builder(pool).dedicatedDataSource(direct(url)).build();
    private final Refrain refrain = Refrain.using(store);
    private final TransactionalOperation<Outcome.Answer, Connection> pay = refrain.operation("pay")
            .storeTimeout(Duration.ofMinutes(1))
            .transactional(store.transactions(new SpringTransactionSource(manager, pool)));
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    SpringTransactionSourceTest() {
        outside.execute("CREATE TABLE payment (id text)");
    }

    /** A plain pool of one connection that counts. */
    private static HikariDataSource countingPool(String url, AtomicInteger borrowed) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(60_000);
        config.setMetricsTrackerFactory((name, stats) -> new IMetricsTracker() {
            @Override
            public void recordConnectionAcquiredNanos(long elapsed) {
                borrowed.incrementAndGet();
            }
        });
        return new HikariDataSource(config);
    }

    private static PGSimpleDataSource direct(String url) {
        var direct = new PGSimpleDataSource();
        direct.setUrl(url);
        return direct;
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        refrain.close();
        store.close();
        pool.close();
    }

    /** What one caller's work does after its insert. */
    @FunctionalInterface
    private interface Then {
        void run(int caller);
    }

    private String pay(int caller, Then then) {
        String id = "p" + (before + caller);
        try {
            var answer = pay.run(OperationCall.scope("shop").key(id).request(id), (claim, connection) -> {
                annotated.executeWithoutResult(status -> insert(id));
                then.run(caller);
                return Outcome.Answer.of(201, id.getBytes(StandardCharsets.UTF_8));
            });
            return new String(answer.body().bytes(), StandardCharsets.UTF_8);
        } finally {
            assertThat(TransactionSynchronizationManager.isSynchronizationActive())
                    .isFalse();
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isFalse();
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        }
    }

    private void insert(String id) {
        jdbc.update("INSERT INTO payment VALUES (?)", id);
    }

    /** All wait while the only connection is held, and then go one after the other. */
    private List<Future<String>> allAtOnce(Then then) throws Exception {
        var held = new CountDownLatch(1);
        var holder = threads.submit(() -> pay(-1, caller -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 1);
        var all = new ArrayList<Future<String>>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            all.add(threads.submit(() -> pay(caller, then)));
        }
        await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() >= 4);
        held.countDown();
        holder.get(1, TimeUnit.MINUTES);
        return all;
    }

    private List<String> payments() {
        return outside.queryForList("SELECT id FROM payment", String.class);
    }

    /** A stall of a second sends all who wait to the pool, so it is tried more than once. */
    @Test
    void transactionMovesToTheThreadThatWaits() throws Exception {
        int tries = 0;
        do {
            borrowed.set(0);
            before = CALLERS * 2 * tries;
            for (var each : allAtOnce(caller -> {})) {
                each.get(1, TimeUnit.MINUTES);
            }
            tries++;
            assertThat(payments()).doesNotHaveDuplicates().hasSize((CALLERS + 1) * tries);
        } while (borrowed.get() >= CALLERS && tries < 5);
        assertThat(borrowed).as("some were handed on").hasValueLessThan(CALLERS);
    }

    @Test
    void rollbackMarkOfOneCallerIsItsOwn() throws Exception {
        var all = allAtOnce(caller -> {
            if (caller % 4 == 0) {
                assertThatThrownBy(() -> annotated.executeWithoutResult(status -> {
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no");
            }
        });
        for (int i = 0; i < CALLERS; i++) {
            var each = all.get(i);
            if (i % 4 == 0) {
                assertThatThrownBy(() -> each.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(StoreException.class);
            } else {
                assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo("p" + i);
            }
        }
        assertThat(payments()).doesNotHaveDuplicates().hasSize(1 + CALLERS * 3 / 4);
        assertThat(payments()).doesNotContain("p0", "p4");
    }

    @Test
    void synchronizationHearsOfItsOwnCommit() throws Exception {
        var heard = new ConcurrentLinkedQueue<Integer>();
        var all = allAtOnce(caller -> {
            if (caller % 3 == 0) {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        insert("before " + caller);
                    }

                    @Override
                    public void afterCommit() {
                        assertThat(payments()).contains("p" + caller, "before " + caller);
                        heard.add(caller);
                    }
                });
            }
        });
        for (var each : all) {
            each.get(1, TimeUnit.MINUTES);
        }
        int listening = (CALLERS + 2) / 3;
        assertThat(heard).hasSize(listening).doesNotHaveDuplicates();
        assertThat(payments()).doesNotHaveDuplicates().hasSize(1 + CALLERS + listening);
    }

    @Test
    void connectionSettingsOfOneCallerDoNotReachTheNext() throws Exception {
        var timeouts = new ConcurrentLinkedQueue<Integer>();
        var all = allAtOnce(caller -> jdbc.execute((Connection connection) -> {
            timeouts.add(connection.getNetworkTimeout());
            connection.setNetworkTimeout(Runnable::run, 60_000);
            return true;
        }));
        for (var each : all) {
            each.get(1, TimeUnit.MINUTES);
        }
        assertThat(timeouts).hasSize(CALLERS).containsOnly(0);
    }

    @Test
    void workCannotEndTheTransactionOfItsKey() throws Exception {
        assertThatThrownBy(() -> pay(1, caller -> {
                    var connection = DataSourceUtils.getConnection(pool);
                    try {
                        connection.commit();
                    } catch (java.sql.SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .rootCause()
                .hasMessageContaining("commit() is not the work's to call");
        assertThat(payments()).isEmpty();
    }

    @Test
    void surroundingTransactionStaysOpenAndApart() throws Exception {
        pool.setMaximumPoolSize(2);
        var around = new TransactionTemplate(manager);
        around.executeWithoutResult(status -> {
            insert("around");
            pay.run(OperationCall.scope("shop").key("k").request("k"), (claim, connection) -> {
                insert("within");
                return Outcome.Answer.of(201, new byte[0]);
            });
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
            insert("around again");
            status.setRollbackOnly();
        });
        assertThat(payments()).containsExactly("within");
    }

    @Test
    void workInATransactionOfItsOwnWithinGoesOnAfterwards() throws Exception {
        pool.setMaximumPoolSize(2);
        var apart = new TransactionTemplate(manager);
        apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        var nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        pay(1, caller -> {
            apart.executeWithoutResult(status -> insert("apart"));
            nested.executeWithoutResult(status -> {
                insert("taken back");
                status.setRollbackOnly();
            });
            insert("and on");
        });
        assertThat(payments()).containsExactlyInAnyOrder("p1", "apart", "and on");
    }

    @Test
    void managerWithListenersIsNotifiedOfEachTransaction() throws Exception {
        var commits = new AtomicInteger();
        manager.addListener(new TransactionExecutionListener() {
            @Override
            public void afterCommit(TransactionExecution transaction, @org.jspecify.annotations.Nullable Throwable e) {
                commits.incrementAndGet();
            }
        });
        for (var each : allAtOnce(caller -> {})) {
            each.get(1, TimeUnit.MINUTES);
        }
        assertThat(commits).hasValueGreaterThanOrEqualTo(CALLERS + 1);
        assertThat(payments()).doesNotHaveDuplicates().hasSize(CALLERS + 1);
    }

    @Test
    void callerThatIsInterruptedWhileItWaitsLosesNothingForOthers() throws Exception {
        var all = allAtOnce(caller -> {});
        all.get(CALLERS - 1).cancel(true);
        all.get(CALLERS / 2).cancel(true);
        for (var each : all) {
            if (!each.isCancelled()) {
                try {
                    each.get(1, TimeUnit.MINUTES);
                } catch (ExecutionException e) {
                    throw new AssertionError(e);
                }
            }
        }
        assertThat(payments()).doesNotHaveDuplicates().hasSizeBetween(CALLERS - 1, CALLERS + 1);
        await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    @Test
    void commitInWhichListenersWorkMayTakeTheRestOfTheRun() throws Exception {
        var patient = refrain.operation("transfer")
                .storeTimeout(PATIENCE)
                .transactional(store.transactions(new SpringTransactionSource(manager, pool)));

        patient.run(OperationCall.scope("shop").key("k").request("k"), (claim, connection) -> {
            insert("paid");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    jdbc.execute("SELECT pg_sleep(1.5)");
                    insert("flushed");
                }
            });
            return Outcome.Answer.of(201, new byte[0]);
        });

        assertThat(payments()).containsExactlyInAnyOrder("paid", "flushed");
    }

    @Test
    void runPastItsMaximumRunTimeIsReportedAsSuch() throws Exception {
        var longest = Duration.ofMillis(600);
        var brief = refrain.operation("transfer")
                .lease(longest)
                .maxRunTime(longest)
                .transactional(store.transactions(new SpringTransactionSource(manager, pool)));

        assertThatThrownBy(() -> brief.run(OperationCall.scope("shop").key("k").request("k"), (claim, connection) -> {
                    insert("paid");
                    jdbc.execute("SELECT pg_sleep(60)");
                    return Outcome.Answer.of(201, new byte[0]);
                }))
                .isInstanceOf(RunTimeExceededException.class);

        assertThat(payments()).isEmpty();
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void connectionForAFailureIsWaitedForNoLongerThanThePatience() throws Exception {
        var impatient = refrain.operation("transfer")
                .storeTimeout(PATIENCE)
                .transactional(store.transactions(new SpringTransactionSource(manager, pool)));
        var done = new CountDownLatch(1);
        var next = new ArrayList<Future<Boolean>>();
        long begun = System.nanoTime();

        assertThatThrownBy(() ->
                        impatient.run(OperationCall.scope("shop").key("k").request("k"), (claim, connection) -> {
                            next.add(threads.submit(() -> {
                                try (var borrowed = pool.getConnection()) {
                                    done.await();
                                    return borrowed.isValid(1);
                                }
                            }));
                            await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                            throw new IllegalStateException("no");
                        }))
                .hasMessage("no");

        assertThat(System.nanoTime() - begun)
                .isLessThan(TimeUnit.MILLISECONDS.toNanos(pool.getConnectionTimeout() / 2));
        done.countDown();
        assertThat(next.getFirst().get(1, TimeUnit.MINUTES)).isTrue();
    }
}
