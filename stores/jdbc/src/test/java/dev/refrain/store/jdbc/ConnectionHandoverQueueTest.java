package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionHandoverQueue;
import dev.refrain.store.jdbc.internal.transaction.ConnectionHandoverQueue.TransactionSession;
import dev.refrain.store.jdbc.internal.transaction.DatabaseTransaction;
import dev.refrain.store.jdbc.internal.transaction.PooledTransaction;
import dev.refrain.store.jdbc.internal.transaction.StandaloneTransaction;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The line by a clock that stands still until it is moved: what a stall would need luck for happens here every time. */
class ConnectionHandoverQueueTest {

    /** As many as the line always sends to the pool; whoever comes after them waits. */
    private static final int IN_POOL = 4;

    private final String url = TestDatabases.emptiedPostgres();
    private final LossyProxy proxy = new LossyProxy(LossyProxy.port(url));
    private final JdbcStore store = JdbcStore.on(TestDatabases.postgres(url));
    private final PostgresDialect dialect = new PostgresDialect();
    private final AtomicLong clock = new AtomicLong(Duration.ofDays(1).toNanos());
    private final List<Thread> threads = new ArrayList<>();
    private final List<TransactionSession> given = new ArrayList<>();
    private Future<ClaimResponse> waiter;
    private volatile ConnectionHandoverQueue.TransactionStarter pool = this::connected;
    private final ConnectionHandoverQueue line =
            new ConnectionHandoverQueue(() -> true, () -> pool.begin(), clock::get);

    @AfterEach
    void close() throws Exception {
        // Whoever still waits must not keep a failed test from ending.
        threads.forEach(Thread::interrupt);
        for (var thread : threads) {
            thread.join();
        }
        given.forEach(passage -> passage.own().rollbackAndRelease());
        store.close();
        proxy.close();
    }

    private TransactionSession connected() throws SQLException {
        var connection = TestDatabases.postgres(LossyProxy.through(url, proxy)).getConnection();
        return passage(PooledTransaction.begin(connection, dialect, JdbcTimeouts.DEFAULT));
    }

    private TransactionSession passage(DatabaseTransaction own) {
        return TransactionSession.fromPool(
                own, new SqlSession(own.connection(), new SqlScriptLibrary(dialect, ""), ""), clock.get());
    }

    private <T> Future<T> start(Callable<T> call) {
        var task = new FutureTask<>(call);
        threads.add(Thread.ofVirtual().start(task));
        return task;
    }

    /** Everyone who comes from here on waits in the line, as the pool's own is full and gives nothing. */
    private void fillThePoolsOwnLine() {
        var full = new CountDownLatch(IN_POOL);
        pool = () -> {
            full.countDown();
            return never();
        };
        for (int i = 0; i < IN_POOL; i++) {
            var wish = claimRequest("in the pool " + i);
            start(() -> line.take(wish));
        }
        await().until(() -> full.getCount() == 0);
    }

    private static TransactionSession never() throws SQLException {
        try {
            new CountDownLatch(1).await();
            throw new AssertionError("nobody counts it down");
        } catch (InterruptedException e) {
            throw new SQLException("over", e);
        }
    }

    private <T> Future<T> waits(Callable<T> call) {
        var task = start(call);
        var thread = threads.getLast();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        return task;
    }

    @Test
    void whoCameLastIsServedFirstUnlessSomeoneHasWaitedForLong() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (String key : List.of("first", "second", "third", "fourth")) {
            var wish = claimRequest(key);
            waits(() -> line.take(wish));
        }

        assertThat(served(free)).isEqualTo("fourth");
        clock.addAndGet(Duration.ofMillis(20).toNanos());
        assertThat(served(free)).isEqualTo("third");
        clock.addAndGet(1);
        assertThat(served(free)).as("waited for more than 20 ms").isEqualTo("first");
        assertThat(served(free)).isEqualTo("second");
        assertThat(line.next(free)).isNull();
    }

    private String served(TransactionSession free) {
        var next = line.next(free);
        assertThat(line.pass(next, free)).isTrue();
        return next.request().identity().key();
    }

    @Test
    void aConnectionIsHandedOnForFiftyMillisecondsOnly() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        var wish = claimRequest("k");
        waits(() -> line.take(wish));
        clock.addAndGet(Duration.ofMillis(50).toNanos());
        assertThat(line.next(free)).isNull();
        clock.decrementAndGet();
        assertThat(served(free)).isEqualTo("k");
    }

    /** It commits, enters for the next one, and then comes to a halt before it can tell him so. */
    private final class StallingTransaction {
        private final CountDownLatch halted = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        TransactionSession passage() throws SQLException {
            var real = connected().own();
            return ConnectionHandoverQueueTest.this.passage((DatabaseTransaction) Proxy.newProxyInstance(
                    StallingTransaction.class.getClassLoader(),
                    new Class<?>[] {DatabaseTransaction.class},
                    (self, method, arguments) -> {
                        if (method.getName().equals("leave")) {
                            halted.countDown();
                            mayGoOn.await();
                        }
                        return method.invoke(real, arguments);
                    }));
        }
    }

    private StandaloneTransaction transaction() {
        return new StandaloneTransaction(store, line, dialect, JdbcTimeouts.DEFAULT);
    }

    private ClaimResponse enter(ClaimRequest wish) {
        try (var transaction = transaction()) {
            return transaction.tryClaim(wish);
        }
    }

    /** The committer holds the lock of one who does not wait for it any more. */
    private Future<WriteResponse> haltsWithTheLockOf(ClaimRequest taken, StallingTransaction halting)
            throws SQLException {
        var spare = connected();
        given.add(spare);
        pool = halting::passage;
        var wish = claimRequest("slow");
        var slow = transaction();
        var acquired = record(slow.tryClaim(wish), true);
        fillThePoolsOwnLine();
        pool = () -> spare;
        waiter = waits(() -> enter(taken));
        var committed = start(() -> {
            try (slow) {
                return slow.completeAndCommit(wish, acquired, Optional.of(payload("paid")));
            }
        });
        await().until(() -> halting.halted.getCount() == 0);
        return committed;
    }

    /** As the watch does when a commit takes too long. Returns when the waiter was told, or has asked more than once. */
    private void sendTheWaiterToThePool() {
        int once = proxy.sent() + 1;
        line.giveBackTakenBefore(clock.get() + 1);
        await().until(() -> waiter.isDone() || proxy.sent() > once);
    }

    @Test
    void whoseLockASlowCommitterHasTakenForHimWaitsUntilItGivesItBack() throws Exception {
        var halting = new StallingTransaction();
        var committed = haltsWithTheLockOf(claimRequest("k"), halting);
        sendTheWaiterToThePool();
        halting.mayGoOn.countDown();

        assertThat(waiter.get(20, TimeUnit.SECONDS)).isInstanceOf(ClaimResponse.Acquired.class);
        assertThat(committed.get(20, TimeUnit.SECONDS)).isEqualTo(new WriteResponse.Written());
    }

    @Test
    void whoDoesNotGetItWithinASecondIsToldThatSomeoneElseHasIt() throws Exception {
        var halting = new StallingTransaction();
        haltsWithTheLockOf(claimRequest("k"), halting);
        sendTheWaiterToThePool();
        assertThat(waiter).isNotDone();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(waiter.get(20, TimeUnit.SECONDS)).isEqualTo(new ClaimResponse.LockedByTransaction());
    }
}
