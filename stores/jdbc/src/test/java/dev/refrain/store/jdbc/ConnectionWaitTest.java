package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who waits for a connection, and for how long. */
class ConnectionWaitTest extends SingleConnectionTestBase {

    @Test
    void interruptedWaiterLeavesTheQueueAndTheOthersStay() throws Exception {
        var holder = first(claimRequest("first"));
        var runs = queueUp(connection -> {});
        var told = new AtomicReference<Throwable>();
        var late = Thread.ofVirtual().start(() -> {
            try {
                run(claimRequest("late"), connection -> {});
            } catch (Exception e) {
                told.set(e);
            }
        });
        await().until(() -> waits(late));
        late.interrupt();
        late.join();
        assertThat(told.get())
                .asInstanceOf(type(StoreException.class))
                .extracting(StoreException::effect)
                .isEqualTo(Effect.NONE);
        holder.close();

        allWritten(runs);
        paidOnceEach();
    }

    @Test
    void exhaustedPoolIsReportedToEveryCallerInTime() throws Exception {
        close(store, one);
        use(pool(1, Duration.ofSeconds(1)));
        await().until(() -> one.getHikariPoolMXBean().getIdleConnections() == 1);
        var holder = first(claimRequest("first"));
        long begun = System.nanoTime();
        var runs = IntStream.range(0, CALLERS)
                .mapToObj(i -> threads.submit(() -> run(claimRequest("k" + i), connection -> {})))
                .toList();
        for (var run : runs) {
            assertThatThrownBy(() -> run.get(1, TimeUnit.MINUTES))
                    .cause()
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                    .satisfies(e -> assertThat(e.isTransient()).isTrue());
        }
        assertThat(System.nanoTime() - begun)
                .as("not one after the other")
                .isLessThan(TimeUnit.SECONDS.toNanos(CALLERS));
        holder.close();
        assertThat(run(claimRequest("after"), connection -> {})).isEqualTo(new RecordWriteResponse.Written());
    }

    @Test
    void connectionOfADataSourceThatLooksAtItsThreadIsNotHandedOn() throws Exception {
        close(store);
        var tenant = new ThreadLocal<String>();
        store = JdbcStore.builder(StubDataSources.of(() -> {
                    var connection = one.getConnection();
                    try (var set = connection.createStatement()) {
                        set.execute("SET app.tenant = '" + tenant.get() + "'");
                    }
                    return connection;
                }))
                .dedicatedDataSource(TestDatabases.postgres(url))
                .build();
        var holder = first(claimRequest("first"));
        var all = new ArrayList<Future<RecordWriteResponse>>();
        for (int i = 0; i < CALLERS; i++) {
            var wish = claimRequest("k" + i);
            String me = "tenant " + i;
            all.add(threads.submit(() -> {
                tenant.set(me);
                return run(wish, connection -> assertThat(tenantOf(connection)).isEqualTo(me));
            }));
        }
        await().until(() -> one.getHikariPoolMXBean().getThreadsAwaitingConnection() == CALLERS);
        holder.close();
        allWritten(all);
    }

    @Test
    void onlyAHikariPoolItselfHandsItsConnectionsOn() {
        assertThat(JdbcStore.builder(one).interchangeableConnections(true)).isNotNull();
        try (var subclass = new HikariDataSource() {}) {
            for (var other : List.of(StubDataSources.of(one::getConnection), subclass)) {
                assertThatThrownBy(() -> JdbcStore.builder(other).interchangeableConnections(true))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Cannot hand on connections");
            }
        }
    }

    private static String tenantOf(Connection connection) throws SQLException {
        return answer(connection, "SELECT current_setting('app.tenant')");
    }

    private static String answer(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var answer = statement.executeQuery(query)) {
            answer.next();
            return answer.getString(1);
        }
    }

    @Test
    void waiterBehindASlowCommitUsesAnotherConnection() throws Exception {
        sql.execute("CREATE TABLE go (id INTEGER)");
        sql.execute("CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " WHILE NEW.id = 'slow' AND NOT EXISTS (SELECT FROM go) LOOP PERFORM pg_sleep(0.02); END LOOP;"
                + " RETURN NEW; END $$");
        sql.execute("CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON payment DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION slow()");
        close(store, one);
        use(pool(2, Duration.ofSeconds(20)));
        var gate = new CountDownLatch(1);
        var slow = threads.submit(() -> run(claimRequest("slow"), connection -> gate.await()));
        await().until(() -> one.getHikariPoolMXBean().getActiveConnections() == 1);
        var holder = first(claimRequest("first"));
        var runs = queueUp(connection -> {});
        gate.countDown();
        await().until(() -> sql.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == 1);
        holder.close();
        allWritten(runs);

        assertThat(slow.isDone()).isFalse();
        sql.execute("INSERT INTO go VALUES (1)");
        assertThat(slow.get()).isEqualTo(new RecordWriteResponse.Written());
    }

    /** Told in turns, of which about fifty are two seconds: if all took theirs, it would be ten for each round. */
    @Test
    void nobodyIsOvertakenForLong() throws Exception {
        var turns = new CopyOnWriteArrayList<Integer>();
        int callers = 10;
        int last = 75;
        var runs = new ArrayList<Future<?>>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            runs.add(threads.submit(() -> {
                for (int count = 0; turns.size() < last; count++) {
                    run(claimRequest("k" + caller + "-" + count), connection -> {
                        turns.add(caller);
                        Thread.sleep(40);
                    });
                }
                return caller;
            }));
        }
        for (var run : runs) {
            run.get(60, TimeUnit.SECONDS);
        }
        for (int caller = 0; caller < callers; caller++) {
            assertThat(turns.subList(0, last / 2)).as("since it began").contains(caller);
            assertThat(turns.subList(last / 2, turns.size())).as("since then").contains(caller);
        }
    }

    @Test
    void leasedCallsThatUseNoConnectionAllRunAtOnceOnAPoolOfTen() throws Exception {
        int calls = 1_000;
        var inside = new CountDownLatch(calls);
        try (var ten = pool(10, Duration.ofSeconds(20));
                var own = JdbcStore.on(ten);
                var refrain = Refrain.using(own)) {
            var pay = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
            var runs = IntStream.range(0, calls)
                    .mapToObj(i -> threads.submit(() -> pay.run(
                            OperationCall.scope("tenant").key("key-" + i).request("x"), claim -> {
                                inside.countDown();
                                inside.await();
                                return "paid";
                            })))
                    .toList();
            for (var run : runs) {
                assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo("paid");
            }
        }
    }

    @Test
    void otherPoolUsersAndRunsAreServedBesideEachOther() throws Exception {
        int times = 5;
        close(store, one);
        use(pool(2, Duration.ofSeconds(60)));
        var all = new ArrayList<Future<?>>();
        var served = new CountDownLatch(2 * CALLERS * times);
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            all.add(threads.submit(() -> {
                for (int count = 0; served.getCount() > 0; count++) {
                    run(claimRequest("k" + caller + "-" + count), connection -> {});
                    countUpTo(times, count, served);
                }
                return caller;
            }));
            all.add(threads.submit(() -> {
                for (int count = 0; served.getCount() > 0; count++) {
                    try (var connection = one.getConnection()) {
                        answer(connection, "SELECT 'somebody else'");
                    }
                    countUpTo(times, count, served);
                }
                return caller;
            }));
        }
        for (var each : all) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    /** Only so many of each caller count: whoever is served more often serves nobody else. */
    private static void countUpTo(int times, int count, CountDownLatch served) {
        if (count < times) {
            served.countDown();
        }
    }

    @Test
    void interruptOfOneWhoStandsInThePoolFailsNobodyElse() throws Exception {
        var callers = new CopyOnWriteArrayList<Thread>();
        var holder = first(claimRequest("first"));
        var all = new ArrayList<Future<RecordWriteResponse>>();
        for (int i = 0; i < CALLERS; i++) {
            var wish = claimRequest("k" + i);
            all.add(threads.submit(() -> {
                callers.add(Thread.currentThread());
                return run(wish, connection -> {});
            }));
        }
        await().until(() -> one.getHikariPoolMXBean().getThreadsAwaitingConnection() >= 4 && callers.size() == CALLERS);
        var before = inThePool(callers);
        before.getFirst().interrupt();
        await().until(() -> inThePool(callers).stream().anyMatch(thread -> !before.contains(thread)));
        inThePool(callers).stream()
                .filter(thread -> !before.contains(thread))
                .findFirst()
                .orElseThrow()
                .interrupt();
        await().until(() -> all.stream().filter(Future::isDone).count() >= 2);
        holder.close();

        int written = 0;
        for (var run : all) {
            try {
                run.get(1, TimeUnit.MINUTES);
                written++;
            } catch (ExecutionException interrupted) {
                assertThat(interrupted).hasCauseInstanceOf(StoreException.class);
            }
        }
        assertThat(written).isEqualTo(CALLERS - 2);
    }

    private static List<Thread> inThePool(List<Thread> threads) {
        return threads.stream()
                .filter(thread -> Stream.of(thread.getStackTrace())
                        .anyMatch(e -> e.getClassName().contains("Hikari")))
                .toList();
    }
}
