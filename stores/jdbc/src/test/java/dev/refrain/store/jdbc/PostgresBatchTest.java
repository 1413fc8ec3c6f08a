package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.record.ClaimBatchExecutor;
import dev.refrain.store.jdbc.internal.record.ClaimScripts;
import dev.refrain.store.jdbc.internal.record.NewKeyPredictor;
import dev.refrain.store.jdbc.internal.record.OperationNames;
import dev.refrain.store.jdbc.internal.record.RecordMaintenance;
import dev.refrain.store.jdbc.internal.record.RecordRow;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of batches, one by one, on a real PostgreSQL. */
class PostgresBatchTest {

    private String url;
    private DataSource source;
    private RawSql sql;
    private JdbcStore store;

    @BeforeEach
    void open() {
        url = TestDatabases.emptiedPostgres();
        source = TestDatabases.postgres(url);
        sql = new RawSql(source);
        store = JdbcStore.on(source);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Waits for rows longer than PostgreSQL takes to find a deadlock, so that only a circle fails, and not a slow machine. */
    private JdbcStore withPatienceForRows() {
        return JdbcStore.builder(source)
                .lockTimeout(Duration.ofSeconds(30))
                .statementTimeout(Duration.ofSeconds(30))
                .build();
    }

    private static List<ClaimRef> claims(List<ClaimResponse> answers) {
        return answers.stream().map(a -> record(a, true).claim()).toList();
    }

    @Test
    void batchesInOppositeOrdersNeverWaitForEachOtherInACircle() throws Exception {
        try (var one = withPatienceForRows();
                var other = withPatienceForRows();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                var there = claimRequests("round-" + round + "-", 60);
                var back = new ArrayList<>(there.reversed().stream()
                        .map(ClaimRequestFixtures::retryOf)
                        .toList());
                var start = new CyclicBarrier(2);
                Future<List<ClaimResponse>> first = threads.submit(() -> {
                    start.await();
                    return one.claim(there);
                });
                Future<List<ClaimResponse>> second = threads.submit(() -> {
                    start.await();
                    return other.claim(back);
                });
                long acquired = List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS)).stream()
                        .flatMap(List::stream)
                        .filter(ClaimResponse.Acquired.class::isInstance)
                        .count();
                assertThat(acquired).isEqualTo(60);
            }
        }
    }

    @Test
    void completionsInOppositeOrdersNeverWaitForEachOtherInACircle() throws Exception {
        try (var one = withPatienceForRows();
                var other = withPatienceForRows();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                var writes = claims(store.claim(claimRequests("round-" + round + "-", 60))).stream()
                        .map(c -> complete(c, "done"))
                        .toList();
                var start = new CyclicBarrier(2);
                var first = threads.submit(() -> {
                    start.await();
                    return one.write(writes);
                });
                var second = threads.submit(() -> {
                    start.await();
                    return other.write(writes.reversed());
                });
                assertThat(first.get(60, TimeUnit.SECONDS)).containsOnly(new RecordWriteResponse.Written());
                assertThat(second.get(60, TimeUnit.SECONDS)).containsOnly(new RecordWriteResponse.Written());
            }
        }
    }

    @Test
    void nulInOneRowFailsThatRowAlone() {
        var batch = new ArrayList<>(claimRequests("k", 5));
        batch.set(2, batch.get(2).withSubject("eve\0"));

        var answers = store.claim(batch);

        failure(answers.get(2), false);
        assertThat(answers.stream().filter(ClaimResponse.Acquired.class::isInstance))
                .hasSize(4);
        assertThat(sql.number("SELECT count(*) FROM refrain_record")).isEqualTo(4);
    }

    @Test
    void nulInOneReasonIsReplaced() {
        var claims = claims(store.claim(claimRequests("k", 3)));
        List<RecordWrite> writes = List.of(
                new RecordWrite.Escalate(claims.get(0), "fine"),
                new RecordWrite.Escalate(claims.get(1), "not\0fine"),
                new RecordWrite.Release(claims.get(2)));

        var answers = store.write(writes);

        assertThat(answers).containsOnly(new RecordWriteResponse.Written());
        assertThat(sql.text("SELECT string_agg(reason, ', ' ORDER BY reason) FROM refrain_attention"))
                .isEqualTo("fine, not\uFFFDfine");
    }

    private static void failure(Object answer, boolean passing) {
        var failure = switch (answer) {
            case ClaimResponse.Failed failed -> failed.failure();
            case RecordWriteResponse.Failed failed -> failed.failure();
            default -> throw new AssertionError("Did not fail: " + answer);
        };
        assertThat(failure).isInstanceOf(RowRejectedException.class);
        assertThat(failure.isTransient()).isEqualTo(passing);
        assertThat(failure.effect()).isEqualTo(Effect.NONE);
    }

    /** Whoever made it has no lock that could be looked for. */
    @Test
    void uncommittedRowInTheWayIsFoundAndTheOthersAreClaimed() throws SQLException {
        var batch = claimRequests("k", 5);
        var inTheWay = batch.get(3);
        try (var blocker = source.getConnection()) {
            insertWithoutCommit(blocker, inTheWay);

            var answers = store.claim(batch);

            assertThat(answers.get(3)).isEqualTo(new ClaimResponse.LockedByTransaction());
            assertThat(answers.stream().filter(ClaimResponse.Acquired.class::isInstance))
                    .hasSize(4);
            assertThat(claim(store, inTheWay)).isEqualTo(new ClaimResponse.LockedByTransaction());
            blocker.commit();
        }
        assertThat(record(claim(store, inTheWay), false).state()).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    void keysOfTransactionsThatHaveNotCommittedAreFoundByTheirLocksAndTheOthersAreClaimedByOneMoreTry()
            throws SQLException {
        var batch = claimRequests("k", 64);
        try (var connection = source.getConnection();
                var sessionConnection = source.getConnection()) {
            connection.setAutoCommit(false);
            for (int i : List.of(3, 20, 21, 50)) {
                var transaction = store.transactions().join(connection);
                var wish = retryOf(batch.get(i));
                var entered = record(transaction.tryClaim(wish), true);
                assertThat(transaction.complete(wish, entered, null)).isEqualTo(new RecordWriteResponse.Written());
            }
            var trips = new AtomicInteger();

            var answers = ClaimBatchExecutor.claim(
                    counting(sessionConnection, trips), new NewKeyPredictor(), new OperationNames(), batch);

            for (int i = 0; i < 64; i++) {
                assertThat(answers.get(i))
                        .isInstanceOf(
                                List.of(3, 20, 21, 50).contains(i)
                                        ? ClaimResponse.LockedByTransaction.class
                                        : ClaimResponse.Acquired.class);
            }
            assertThat(trips)
                    .as("it fails, the locks are looked for, the others are claimed")
                    .hasValue(3);
            connection.commit();
        }
        assertThat(record(claim(store, batch.get(3)), false).state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void rowThatSomeoneHoldsFailsAloneAndTheOthersAreWritten() throws SQLException {
        var claims = claims(store.claim(claimRequests("k", 40)));
        List<RecordWrite> writes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            writes.add(i % 2 == 0 ? complete(claims.get(i), "done") : new RecordWrite.Release(claims.get(i)));
        }
        try (var blocker = source.getConnection()) {
            hold(blocker, claims.get(7), claims.get(8));

            var answers = store.write(writes);

            failure(answers.get(7), true);
            failure(answers.get(8), true);
            assertThat(answers.stream().filter(new RecordWriteResponse.Written()::equals))
                    .hasSize(38);
            blocker.rollback();
        }
        assertThat(store.write(writes)).containsOnly(new RecordWriteResponse.Written());
    }

    @Test
    void rowThatSomeoneHoldsIsNotTakenOverAndTheOthersAre() throws SQLException {
        var batch = claimRequests("k", 20);
        var claims = claims(store.claim(batch));
        store.write(claims.stream().map(RecordWrite.Release::new).toList());
        var retries = batch.stream().map(ClaimRequestFixtures::retryOf).toList();
        try (var blocker = source.getConnection()) {
            hold(blocker, claims.get(7));

            var answers = store.claim(retries);

            // Nobody runs it: it is busy, and not in progress.
            assertThat(answers.get(7)).isInstanceOf(ClaimResponse.Failed.class);
            assertThat(answers.stream().filter(ClaimResponse.Acquired.class::isInstance))
                    .hasSize(19);
            blocker.rollback();
        }
        assertThat(acquired(store, retries.get(7)).fence()).isEqualTo(2);
    }

    private static void hold(Connection blocker, ClaimRef... claims) throws SQLException {
        blocker.setAutoCommit(false);
        for (var claim : claims) {
            try (var statement = blocker.prepareStatement("SELECT FROM refrain_record WHERE lookup = ? FOR UPDATE")) {
                statement.setObject(1, claim.lookup().asUuid());
                statement.executeQuery();
            }
        }
    }

    private static SqlSession counting(Connection connection, AtomicInteger trips) {
        var scripts = new SqlScriptLibrary(new PostgresDialect(), "");
        return new SqlSession(
                connection, scripts, scripts.dialect().roundTripPrefix(JdbcTimeouts.DEFAULT), trips::incrementAndGet);
    }

    /** That each element is answered by itself costs nothing while nothing fails. */
    @Test
    void batchInWhichNothingFailsIsOneStatement() throws SQLException {
        try (var connection = source.getConnection()) {
            var trips = new AtomicInteger();
            var session = counting(connection, trips);
            var batch = claimRequests("k", 64);

            var claims = claims(ClaimBatchExecutor.claim(session, new NewKeyPredictor(), new OperationNames(), batch));
            assertThat(trips.getAndSet(0)).as("claim").isEqualTo(1);

            RecordWriter.write(
                    session,
                    claims.stream()
                            .map(c -> new RecordWrite.Renew(c, Duration.ofMinutes(1)))
                            .toList(),
                    new ArrayList<>());
            assertThat(trips.getAndSet(0)).as("renew").isEqualTo(1);

            RecordWriter.write(
                    session, claims.stream().map(c -> complete(c, "done")).toList(), new ArrayList<>());
            assertThat(trips.getAndSet(0)).as("complete").isEqualTo(1);

            ClaimBatchExecutor.claim(
                    session,
                    new NewKeyPredictor(),
                    new OperationNames(),
                    batch.stream().map(ClaimRequestFixtures::retryOf).toList());
            assertThat(trips.getAndSet(0)).as("replay").isEqualTo(1);
        }
    }

    @Test
    void twinThatCommitsWhileABatchWaitsForItIsSeen() throws Exception {
        var batch = claimRequests("k", 5);
        var inTheWay = batch.get(3);
        try (var patient = JdbcStore.builder(source)
                        .lockTimeout(Duration.ofSeconds(5))
                        .build();
                var blocker = source.getConnection();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            insertWithoutCommit(blocker, inTheWay);
            var waiting = threads.submit(() -> patient.claim(batch));
            await().until(() -> sql.number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
            blocker.commit();

            var answers = waiting.get(1, TimeUnit.MINUTES);

            assertThat(record(answers.get(3), false).owner()).isNotEqualTo(inTheWay.nonce());
            assertThat(answers.stream().filter(ClaimResponse.Acquired.class::isInstance))
                    .hasSize(4);
        }
    }

    private static void insertWithoutCommit(Connection blocker, ClaimRequest wish) throws SQLException {
        blocker.setAutoCommit(false);
        new SqlSession(blocker, new SqlScriptLibrary(new PostgresDialect(), ""), "")
                .runBatch(ClaimScripts.CLAIM, List.of(retryOf(wish)), RecordRow::read);
    }

    @Test
    void batchWithALostReplyFindsItsOwnClaimsAndWritesOnRetry() {
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.on(TestDatabases.postgres(LossyProxy.through(url, proxy)))) {
            var batch = claimRequests("k", 20);
            proxy.loseReplies();
            lost(() -> lossy.claim(batch));
            awaitRecords(20, 1);
            proxy.heal();

            var claims = claims(lossy.claim(batch));
            assertThat(claims).allSatisfy(c -> assertThat(c.fence()).isEqualTo(1));
            var writes = claims.stream().map(c -> complete(c, "done")).toList();
            lossy.write(List.of(writes.getFirst()));
            proxy.loseReplies();
            lost(() -> lossy.write(writes));
            awaitRecords(20, 2);
            proxy.heal();

            assertThat(lossy.write(writes)).containsOnly(new RecordWriteResponse.Written());
        }
        assertThat(sql.number("SELECT count(*) FROM refrain_payload")).isEqualTo(20);
    }

    @Test
    void replyThatNeverComesIsWaitedForOnlySoLong() {
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var lossy = JdbcStore.builder(TestDatabases.postgres(LossyProxy.through(url, proxy)))
                        .statementTimeout(Duration.ofSeconds(2))
                        .build()) {
            proxy.fallSilent();
            lost(() -> lossy.claim(claimRequests("k", 3)));
            proxy.heal();

            assertThat(lossy.claim(claimRequests("other", 3))).hasSize(3);
        }
    }

    private static void lost(Runnable ask) {
        assertThatThrownBy(ask::run)
                .asInstanceOf(type(StoreException.class))
                .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN))
                .satisfies(e -> assertThat(e.isTransient()).isTrue());
    }

    private void awaitRecords(int count, int state) {
        await().until(() -> sql.number("SELECT count(*) FROM refrain_record WHERE state = " + state) == count);
    }

    @Test
    void callersWhoExhaustTheApplicationsPoolDoNotStarveTheStore() throws SQLException {
        try (var pool = pool(6);
                var pooled = JdbcStore.on(pool);
                var first = pool.getConnection();
                var second = pool.getConnection()) {
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);

            var claims = claims(pooled.claim(claimRequests("k", 5)));
            assertThat(pooled.write(
                            claims.stream().map(c -> complete(c, "done")).toList()))
                    .containsOnly(new RecordWriteResponse.Written());
            var renewed = acquired(pooled, claimRequest("slow"));
            assertThat(pooled.write(List.of(new RecordWrite.Renew(renewed.claim(), Duration.ofMinutes(1)))))
                    .containsOnly(new RecordWriteResponse.Written());
            assertThat(pooled.find(List.of(claimRequest("k1").identity())).getFirst())
                    .isPresent();
            assertThat(pooled.sweep(Duration.ZERO, 10).released()).isZero();
            assertThat(pooled.reap(10)).isZero();
            assertThat(pooled.countUnsettled(10).inProgress()).isEqualTo(1);
            assertThat(pooled.countKeys("tenant", 10)).isEqualTo(6);
            assertThat(pooled.listAttention(null, 10)).isEmpty();
            assertThat(pooled.pollAbandoned(
                                    new AbandonedRecordSearch("flows", Duration.ZERO, Duration.ofSeconds(1), 3, 10))
                            .abandoned())
                    .isEmpty();
            acquired(pooled, claimRequest("held", LeaseExpiryPolicy.HOLD, Duration.ofMillis(1)));
            assertThat(pooled.sweep(Duration.ZERO, 10).toAttention()).isEqualTo(1);
            var held = pooled.listAttention(null, 10).getFirst().claim();
            assertThat(pooled.resolve(new Resolution(held, new Resolution.RunAgain(), "ann", "nothing was sent")))
                    .isEqualTo(new RecordWriteResponse.Written());
            assertThat(first.isValid(1) && second.isValid(1)).isTrue();
        }
    }

    /** Whoever counts for long holds up neither heartbeats nor reads. */
    @Test
    void countThatTakesLongMakesNoHeartbeatLate() throws Exception {
        var running = acquired(store, claimRequest("running"));
        try (var blocker = source.getConnection();
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var patient = JdbcStore.builder(source)
                        .lockTimeout(Duration.ofMinutes(1))
                        .statementTimeout(Duration.ofMinutes(1))
                        .build()) {
            blocker.setAutoCommit(false);
            // The counts need this table, and a renewal does not.
            blocker.createStatement().execute("LOCK TABLE refrain_attention IN ACCESS EXCLUSIVE MODE");
            var counting = threads.submit(() -> patient.countUnsettled(10));
            await().until(() -> sql.number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
            assertThat(patient.write(List.of(new RecordWrite.Renew(running.claim(), Duration.ofMinutes(1)))))
                    .containsOnly(new RecordWriteResponse.Written());
            assertThat(patient.find(List.of(claimRequest("running").identity())).getFirst())
                    .isPresent();
            assertThat(counting.isDone())
                    .as("the count still waits, and they did not")
                    .isFalse();
            blocker.rollback();
            assertThat(counting.get(1, TimeUnit.MINUTES).inProgress()).isEqualTo(1);
        }
    }

    @Test
    void outOfMemoryFailureLeavesNoTransactionBehind() throws SQLException {
        try (var connection = source.getConnection()) {
            var session = new SqlSession(connection, new SqlScriptLibrary(new PostgresDialect(), ""), "");
            assertThatThrownBy(() -> session.inTransaction(() -> {
                        throw new OutOfMemoryError("planted");
                    }))
                    .isInstanceOf(OutOfMemoryError.class);

            session.execute("INSERT INTO refrain_meta (name) VALUES ('written after it')");
        }
        assertThat(sql.number("SELECT count(*) FROM refrain_meta WHERE name = 'written after it'"))
                .isEqualTo(1);
    }

    /** Whoever asked for serializable transactions would go on in others, and not know. */
    @Test
    void connectionBorrowedByWorkersGoesBackAsItCame() throws SQLException {
        try (var one = source.getConnection()) {
            one.setAutoCommit(false);
            one.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            var connection = new DedicatedConnection(
                    StubDataSources.unreset(one),
                    new SqlScriptLibrary(new PostgresDialect(), ""),
                    JdbcTimeouts.DEFAULT,
                    System::nanoTime,
                    new AtomicInteger());

            int reaped = connection.write("Reaping", s -> RecordMaintenance.reap(s, 1));

            assertThat(reaped).isZero();
            connection.close();
            assertThat(one.getAutoCommit()).isFalse();
            assertThat(one.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Test
    void poolTooSmallForTheConnectionsIsRefusedAtStart() {
        try (var pool = pool(3)) {
            assertThatThrownBy(() -> JdbcStore.on(pool))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("gave 3 of the 4 connections")
                    .hasMessageContaining("dedicatedDataSource");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** It would start, and neither the application nor a transactional run would ever get a connection. */
    @Test
    void poolThatTheStoreWouldTakeWholeIsRefused() {
        try (var pool = pool(4)) {
            assertThatThrownBy(() -> JdbcStore.on(pool))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("none would be left for the application");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    private HikariDataSource pool(int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(300);
        var pool = new HikariDataSource(config);
        // Whoever comes before they are all connected may wait too long.
        await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == size);
        return pool;
    }

    @Test
    void completionsRewriteTheirRowsInPlace() {
        sql.execute("ALTER TABLE refrain_record SET (autovacuum_enabled = off)");
        for (int batch = 0; batch < 50; batch++) {
            var claims = claims(store.claim(claimRequests("k" + batch + "-", 64)));
            store.write(claims.stream().map(c -> complete(c, "x".repeat(1000))).toList());
        }
        store.close();

        String of = " FROM pg_stat_user_tables WHERE relname = 'refrain_record'";
        await().until(() -> sql.number("SELECT n_tup_upd" + of) == 50 * 64);
        assertThat(sql.number("SELECT n_tup_hot_upd" + of)).isGreaterThanOrEqualTo(50 * 64 * 95 / 100);
    }

    @Test
    void replayWritesNothing() throws SQLException {
        var batch = claimRequests("k", 20);
        store.write(claims(store.claim(batch)).stream()
                .map(c -> complete(c, "done"))
                .toList());

        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            var session = new SqlSession(connection, new SqlScriptLibrary(new PostgresDialect(), ""), "");
            var answers = ClaimBatchExecutor.claim(
                    session,
                    new NewKeyPredictor(),
                    new OperationNames(),
                    batch.stream().map(ClaimRequestFixtures::retryOf).toList());
            assertThat(answers).hasOnlyElementsOfType(ClaimResponse.Found.class);
            try (var asked = connection.createStatement();
                    var xid = asked.executeQuery("SELECT pg_current_xact_id_if_assigned() IS NULL")) {
                xid.next();
                assertThat(xid.getBoolean(1)).isTrue();
            }
        }
    }

    /** The planner must not be talked into reading the whole table by having seen it small. */
    @Test
    void tableThatWasSmallWhenItsPlansWereMadeIsNotReadAsAWhole() {
        for (int i = 0; i < 8; i++) {
            store.claim(claimRequests("warm-" + i, 3));
        }
        sql.execute("ANALYZE refrain_record");
        for (int i = 0; i < 8; i++) {
            var claims = claims(store.claim(claimRequests("small-" + i, 3)));
            store.write(claims.stream().map(c -> complete(c, "done")).toList());
        }
        ((Store) store).close();

        // Sessions report their statistics when they end, or within a minute.
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(sql.number(
                                "SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'refrain_record'"))
                        .isEqualTo(48));
        assertThat(sql.number("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'refrain_record'"))
                .isLessThanOrEqualTo(4); // the indexes' making, and no more
    }
}
