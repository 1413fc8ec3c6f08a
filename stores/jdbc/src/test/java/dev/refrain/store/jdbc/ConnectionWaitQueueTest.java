package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequestOf;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.CurrentClaim;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.record.OperationNames;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.CallWatchdog;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.Rules;
import dev.refrain.store.jdbc.internal.transaction.ConnectionWaitQueue.TransactionSession;
import dev.refrain.store.jdbc.internal.transaction.DatabaseTransaction;
import dev.refrain.store.jdbc.internal.transaction.GuardedWorkTransaction;
import dev.refrain.store.jdbc.internal.transaction.OperationNameIds;
import dev.refrain.store.jdbc.internal.transaction.PooledTransaction;
import dev.refrain.store.jdbc.internal.transaction.StandaloneTransaction;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The queue by a clock that stands still until it is moved: what a stall would need luck for happens here every time. */
class ConnectionWaitQueueTest {

    /** Nothing is named here: claims of unknown origin. */
    private static final OperationNameIds NO_NAMES = new OperationNameIds(new OperationNames(), question -> {});

    /** As many as the queue lets into the pool; whoever comes after them waits. */
    private static final int IN_POOL = 4;

    private static final Duration FOR_EVER = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONG_FOR_A_TEST = Duration.ofSeconds(2);
    private static final Duration A_MOMENT = Duration.ofMillis(200);
    private static final Duration LONGER_THAN_A_STALL = Duration.ofSeconds(5);

    private final String url = TestDatabases.emptiedPostgres();
    private final LossyProxy proxy = new LossyProxy(LossyProxy.port(url));
    private final JdbcStore store = JdbcStore.on(TestDatabases.postgres(url));
    private final PostgresDialect dialect = new PostgresDialect();
    private final AtomicLong clock = new AtomicLong(Duration.ofDays(1).toNanos());
    private final List<Thread> threads = new ArrayList<>();
    private final List<TransactionSession> given = new ArrayList<>();
    private Future<ClaimResponse> waiter;
    private volatile ConnectionWaitQueue.TransactionStarter pool = this::connected;
    private ConnectionWaitQueue queue = queue(FOR_EVER);

    private ConnectionWaitQueue queue(Duration longestWait) {
        return new ConnectionWaitQueue(new Rules(() -> true, () -> true, longestWait), () -> pool.begin(), clock::get);
    }

    @AfterEach
    void close() throws Exception {
        // Whoever still waits must not keep a failed test from ending.
        threads.forEach(Thread::interrupt);
        for (var thread : threads) {
            thread.join();
        }
        given.forEach(session -> session.own().rollbackAndRelease());
        store.close();
        proxy.close();
    }

    private TransactionSession connected() throws SQLException {
        var connection = TestDatabases.postgres(LossyProxy.through(url, proxy)).getConnection();
        return session(PooledTransaction.begin(connection, dialect, JdbcTimeouts.DEFAULT));
    }

    private TransactionSession session(DatabaseTransaction own) {
        return TransactionSession.fromPool(
                own, new SqlSession(own.connection(), new SqlScriptLibrary(dialect, ""), ""), clock.get());
    }

    private TransactionSession take(ClaimRequest wish, Duration patience) throws SQLException {
        return queue.take(wish, new TransactionLimits(patience, FOR_EVER));
    }

    private <T> Future<T> start(Callable<T> call) {
        var task = new FutureTask<>(call);
        threads.add(Thread.ofVirtual().start(task));
        return task;
    }

    /** Everyone who comes from here on waits in the queue, as the pool's own is full and gives nothing. */
    private void fillThePoolsOwnLine() {
        var full = new CountDownLatch(IN_POOL);
        pool = () -> {
            full.countDown();
            return never();
        };
        for (int i = 0; i < IN_POOL; i++) {
            var wish = claimRequest("in the pool " + i);
            start(() -> take(wish, PATIENCE));
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
        await().until(() -> SingleConnectionTestBase.waits(thread));
        return task;
    }

    @Test
    void connectionsAreHandedOnInOrderOfArrival() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (String key : List.of("first", "second", "third")) {
            var wish = claimRequest(key);
            waits(() -> take(wish, PATIENCE));
        }

        assertThat(served(free)).isEqualTo("first");
        assertThat(served(free)).isEqualTo("second");
        assertThat(served(free)).isEqualTo("third");
        assertThat(queue.next(free)).isNull();
    }

    private String served(TransactionSession free) {
        var next = queue.next(free);
        assertThat(queue.pass(next, free)).isTrue();
        return next.request().identity().key();
    }

    @Test
    void connectionIsHandedOnForFiftyMillisecondsOnly() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        var wish = claimRequest("k");
        waits(() -> take(wish, PATIENCE));
        clock.addAndGet(Duration.ofMillis(50).toNanos());
        assertThat(queue.next(free)).isNull();
        clock.decrementAndGet();
        assertThat(served(free)).isEqualTo("k");
    }

    @Test
    void callerWithAConnectionLetsTheNextOneIntoThePool() throws Exception {
        fillThePoolsOwnLine();
        var wish = claimRequest("next");
        var session = connected();
        given.add(session);
        pool = () -> session;
        var next = waits(() -> take(wish, PATIENCE));
        threads.getFirst().interrupt();

        assertThat(next.get(1, TimeUnit.MINUTES)).isEqualTo(session);
    }

    @Test
    void callerThatWaitedTooLongGoesToThePoolAndNothingIsHandedPastIt() throws Exception {
        queue = queue(A_MOMENT);
        fillThePoolsOwnLine();
        var free = connected();
        given.add(free);
        var inPool = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        pool = () -> {
            inPool.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new SQLException("over", e);
            }
            return free;
        };
        var impatient = claimRequest("impatient");
        var taken = start(() -> take(impatient, PATIENCE));
        inPool.await();
        var later = claimRequest("later");
        waits(() -> take(later, PATIENCE));
        assertThat(queue.next(free)).isNull();
        mayGoOn.countDown();

        assertThat(taken.get(1, TimeUnit.MINUTES)).isEqualTo(free);
    }

    @Test
    void scopesAreServedInTurn() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (var flooding : List.of("flood 1", "flood 2", "flood 3")) {
            var wish = claimRequest(flooding);
            waits(() -> take(wish, PATIENCE));
        }
        var other = claimRequestOf("another tenant", "quiet");
        waits(() -> take(other, PATIENCE));

        assertThat(List.of(served(free), served(free), served(free), served(free)))
                .containsExactly("flood 1", "quiet", "flood 2", "flood 3");
    }

    @Test
    void phaseTakesItsTurnAmongTheScopesAndNoConnectionIsHandedToIt() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        var flood = claimRequest("flood");
        waits(() -> take(flood, PATIENCE));
        pool = () -> free;
        var phase = waits(() -> queue.takeForPhase("another tenant", false, PATIENCE));
        var last = claimRequest("last");
        waits(() -> take(last, PATIENCE));

        assertThat(served(free)).isEqualTo("flood");
        // It is the next in turn, and needs a connection from the pool.
        assertThat(queue.next(free)).isNull();
        threads.getFirst().interrupt();
        assertThat(phase.get(20, TimeUnit.SECONDS)).isEqualTo(free);
    }

    @Test
    void callerThatWouldNotBeServedInTimeIsRefusedAtOnce() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (int i = 0; i < 90; i++) {
            var wish = claimRequest("flood " + i);
            start(() -> take(wish, PATIENCE));
        }
        await().until(() -> threads.stream().allMatch(SingleConnectionTestBase::waits));
        // Some are served, one in a second.
        for (int i = 0; i < 20; i++) {
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            served(session(free.own()));
        }
        var late = claimRequest("late");
        var other = claimRequestOf("another tenant", "quiet");

        assertThatThrownBy(() -> take(late, PATIENCE))
                .isInstanceOf(StoreOverloadedException.class)
                .hasMessageContaining("Nothing ran; retry later");
        waits(() -> take(late, FOR_EVER));
        waits(() -> take(other, PATIENCE));
        var fresh = session(free.own());
        served(fresh);
        assertThat(served(fresh)).isEqualTo("quiet");
    }

    @Test
    void phaseIsNotRefusedHoweverManyWait() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (int i = 0; i < 90; i++) {
            var wish = claimRequest("flood " + i);
            start(() -> take(wish, PATIENCE));
        }
        await().until(() -> threads.stream().allMatch(SingleConnectionTestBase::waits));
        for (int i = 0; i < 20; i++) {
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            served(session(free.own()));
        }
        var late = claimRequest("late");
        assertThatThrownBy(() -> take(late, PATIENCE)).isInstanceOf(StoreOverloadedException.class);

        waits(() -> queue.takeForPhase(late.identity().scope(), false, PATIENCE));
    }

    /** It may carry an answer of another system that cannot be asked for again. */
    @Test
    void phaseOfARunThatHasBegunDoesNotWaitForAllThatItsScopeHasQueued() throws Exception {
        queue = queue(A_MOMENT);
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        int flood = 500;
        for (int i = 0; i < flood; i++) {
            var wish = claimRequest("flood " + i);
            start(() -> take(wish, FOR_EVER));
        }
        await().until(() -> threads.stream().allMatch(SingleConnectionTestBase::waits));
        var session = connected();
        given.add(session);
        pool = () -> session;
        String scope = claimRequest("k").identity().scope();
        var phase = waits(() -> queue.takeForPhase(scope, true, PATIENCE));
        int served = 0;
        while (!phase.isDone()) {
            // Somebody is served all the time, so that nobody else leaves the queue.
            served(session(free.own()));
            assertThat(++served).isLessThan(flood);
            Thread.sleep(A_MOMENT.dividedBy(10));
        }

        assertThat(phase.get()).isEqualTo(session);
    }

    @Test
    void callerIsRefusedThatWouldBeServedInTimeOnlyIfTheDatabaseKeptItsPace() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (int i = 0; i < 90; i++) {
            var wish = claimRequest("flood " + i);
            start(() -> take(wish, PATIENCE));
        }
        await().until(() -> threads.stream().allMatch(SingleConnectionTestBase::waits));
        for (int i = 0; i < 20; i++) {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            served(session(free.own()));
        }
        // About 70 are ahead, and one is served in 100 ms: seven seconds.
        var late = claimRequest("late");

        assertThatThrownBy(() -> take(late, Duration.ofSeconds(8))).isInstanceOf(StoreOverloadedException.class);
        String scope = late.identity().scope();
        assertThat(queue.hasCapacity(scope, Duration.ofSeconds(8))).isFalse();
        assertThat(queue.hasCapacity(scope, Duration.ofSeconds(18))).isTrue();
        waits(() -> take(late, Duration.ofSeconds(18)));
        var fresh = session(free.own());
        served(fresh);
    }

    @Test
    void paceIsKnownAsSoonAsAFewWereServed() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        for (int i = 0; i < 90; i++) {
            var wish = claimRequest("flood " + i);
            start(() -> take(wish, PATIENCE));
        }
        await().until(() -> threads.stream().allMatch(SingleConnectionTestBase::waits));
        for (int i = 0; i < IN_POOL; i++) {
            var early = claimRequest("early " + i);
            waits(() -> take(early, PATIENCE));
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            served(session(free.own()));
        }
        // About 90 are ahead, and one is served in a second: far more than half of two minutes.
        var late = start(() -> take(claimRequest("late"), Duration.ofMinutes(2)));

        assertThatThrownBy(() -> late.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(StoreOverloadedException.class);
    }

    @Test
    void callerWaitsOnIfOthersWereServedMeanwhile() throws Exception {
        var free = connected();
        given.add(free);
        queue = queue(LONG_FOR_A_TEST);
        fillThePoolsOwnLine();
        var first = claimRequest("first");
        waits(() -> take(first, PATIENCE));
        long begun = System.nanoTime();
        var second = claimRequest("second");
        pool = () -> free;
        var patient = waits(() -> take(second, PATIENCE));
        assertThat(served(free)).isEqualTo("first");

        assertThat(patient.get(1, TimeUnit.MINUTES)).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(LONG_FOR_A_TEST.multipliedBy(2));
    }

    @Test
    void callerInsideATransactionDoesNotQueue() throws Exception {
        fillThePoolsOwnLine();
        var free = connected();
        given.add(free);
        pool = () -> free;
        var wish = claimRequest("within");
        var within = start(() -> {
            try (var here = CurrentClaim.enterTransactional(null)) {
                return take(wish, PATIENCE);
            }
        });

        assertThat(within.get(1, TimeUnit.MINUTES)).isEqualTo(free);
    }

    /** Others may wait for the connection of its phase. */
    @Test
    void callerInsideAPhaseDoesNotQueue() throws Exception {
        fillThePoolsOwnLine();
        var free = connected();
        given.add(free);
        pool = () -> free;
        var own = connected();
        var wish = claimRequest("within");
        var within = start(() -> {
            try (var phase = GuardedWorkTransaction.begin(
                    () -> own,
                    dialect,
                    JdbcTimeouts.DEFAULT,
                    new CallWatchdog(dialect),
                    new TransactionLimits(FOR_EVER, FOR_EVER))) {
                assertThat(phase.connection()).isNotNull();
                return take(wish, PATIENCE);
            }
        });

        assertThat(within.get(20, TimeUnit.SECONDS)).isEqualTo(free);
        var after = claimRequest("after");
        waits(() -> take(after, PATIENCE));
    }

    @Test
    void interruptedWaiterLeavesAndTheNextIsServed() throws Exception {
        var free = connected();
        given.add(free);
        fillThePoolsOwnLine();
        var gone = claimRequest("gone");
        var stays = claimRequest("stays");
        var interrupted = waits(() -> take(gone, PATIENCE));
        var leaving = threads.getLast();
        waits(() -> take(stays, PATIENCE));
        leaving.interrupt();
        leaving.join();

        assertThat(interrupted).failsWithin(Duration.ofSeconds(20));
        assertThat(served(free)).isEqualTo("stays");
    }

    /** It commits, enters for the next one, and then comes to a halt before it can tell him so. */
    private final class Halting {
        private final CountDownLatch halted = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        TransactionSession begin() throws SQLException {
            var real = connected().own();
            return session((DatabaseTransaction) Proxy.newProxyInstance(
                    Halting.class.getClassLoader(),
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
        return new StandaloneTransaction(
                request -> store.find(List.of(request.identity())).getFirst(),
                NO_NAMES,
                queue,
                dialect,
                JdbcTimeouts.DEFAULT,
                WaiterWakeup.NONE,
                new CallWatchdog(dialect),
                new TransactionLimits(Duration.ofMinutes(1), Duration.ofMinutes(10)));
    }

    private ClaimResponse enter(ClaimRequest wish) {
        try (var transaction = transaction()) {
            return transaction.tryClaim(wish);
        }
    }

    /** The committer holds the lock of one who does not wait for it any more. Returns when that one has asked more than once. */
    private Future<RecordWriteResponse> haltsWithTheLockOf(ClaimRequest chosen, Halting halting) throws SQLException {
        queue = queue(LONGER_THAN_A_STALL);
        var spare = connected();
        given.add(spare);
        pool = halting::begin;
        var wish = claimRequest("slow");
        var slow = transaction();
        var acquired = record(slow.tryClaim(wish), true);
        fillThePoolsOwnLine();
        pool = () -> spare;
        int once = proxy.sent() + 2;
        waiter = waits(() -> enter(chosen));
        var committed = start(() -> {
            try (slow) {
                return slow.completeAndCommit(wish, acquired, payload("paid"));
            }
        });
        await().until(() -> waiter.isDone() || halting.halted.getCount() == 0 && proxy.sent() > once);
        return committed;
    }

    @Test
    void waiterGetsTheLockThatASlowCommitterReleases() throws Exception {
        var halting = new Halting();
        var committed = haltsWithTheLockOf(claimRequest("k"), halting);
        halting.mayGoOn.countDown();

        assertThat(waiter.get(1, TimeUnit.MINUTES)).isInstanceOf(ClaimResponse.Acquired.class);
        assertThat(committed.get(1, TimeUnit.MINUTES)).isEqualTo(new RecordWriteResponse.Written());
    }

    @Test
    void waiterWithoutTheLockAfterASecondIsAnsweredLocked() throws Exception {
        var halting = new Halting();
        haltsWithTheLockOf(claimRequest("k"), halting);
        assertThat(waiter).isNotDone();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(waiter.get(1, TimeUnit.MINUTES)).isEqualTo(new ClaimResponse.LockedByTransaction());
    }
}
