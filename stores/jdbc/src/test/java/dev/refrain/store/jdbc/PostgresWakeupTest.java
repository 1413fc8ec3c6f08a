package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.WakeupChannel;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Wake-ups by LISTEN and NOTIFY. */
class PostgresWakeupTest extends WakeupTestBase {

    private static final String LISTENERS =
            "FROM pg_stat_activity" + " WHERE datname = current_database() AND query LIKE 'LISTEN refrain_done%'";

    private final DataSource source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
    private final RawSql sql = new RawSql(source);

    @Override
    DataSource database() {
        return source;
    }

    static TransactionalOperation<String, Connection> transactional(Refrain refrain, JdbcStore store) {
        return refrain.operation("pay", String.class).waitWhileInFlight(LIMIT).transactional(store.transactions());
    }

    @Test
    void transactionalCompletionWakesWhoWaitsOnAnotherInstance() throws Exception {
        var work = new HeldWork();
        var running = threads.submit(() -> transactional(runner, here).run(call(), (claim, connection) -> work.run()));
        work.awaitBegin();
        var waiting =
                threads.submit(() -> transactional(waiter, there).run(call(), (claim, connection) -> "ran twice"));
        slowly.awaitSlowPoll();

        work.end("paid");

        assertThat(answerOf(waiting)).isEqualTo("paid");
        assertThat(answerOf(running)).isEqualTo("paid");
    }

    @Test
    void transactionThatIsRolledBackLetsWhoWaitsOnAnotherInstanceRun() throws Exception {
        var work = new HeldWork();
        threads.submit(() -> transactional(runner, here).run(call(), (claim, connection) -> {
            work.run();
            throw new IllegalStateException("declined");
        }));
        work.awaitBegin();
        var waiting = threads.submit(
                () -> transactional(waiter, there).run(call(), (claim, connection) -> "paid by the second"));
        slowly.awaitSlowPoll();

        work.end("failed");

        assertThat(answerOf(waiting)).isEqualTo("paid by the second");
    }

    @Test
    void transactionThatIsManagedElsewhereWakesAfterItsCommit() throws Exception {
        var work = new HeldWork();
        var managed = runner.operation("pay", String.class)
                .transactional(here.transactions(() -> new ConnectionTransaction(source.getConnection(), false)));
        threads.submit(() -> managed.run(call(), (claim, connection) -> work.run()));
        work.awaitBegin();
        var waiting =
                threads.submit(() -> transactional(waiter, there).run(call(), (claim, connection) -> "ran twice"));
        slowly.awaitSlowPoll();

        work.end("paid");

        assertThat(answerOf(waiting)).isEqualTo("paid");
    }

    @Test
    void lastPhaseOfAFlowWakesAfterItsCommit() throws Exception {
        var request = claimRequest("key-1");
        var claimed = acquired(here, request);
        try (var watch = new RecordedWakeups(there, claimed.lookup());
                var phase = here.transactions().beginPhase()) {
            assertThat(phase.writeAndCommit(complete(claimed.claim(), "paid")))
                    .isEqualTo(new RecordWriteResponse.Written());

            watch.awaitOne();
        }
    }

    @Test
    void phaseThatIsNotTheLastWakesNobody() throws Exception {
        var claimed = acquired(here, claimRequest("key-1"));
        var other = acquired(here, claimRequest("key-2"));
        try (var watch = new RecordedWakeups(there, claimed.lookup());
                var phase = here.transactions().beginPhase();
                var second = new RecordedWakeups(there, other.lookup())) {
            phase.writeAndCommit(new RecordWrite.Checkpoint(
                    claimed.claim(), RecoveryPoint.reached("charged"), Optional.empty(), Optional.empty()));
            here.write(List.of(complete(other.claim(), "paid")));

            second.awaitOne();
            watch.assertNone();
        }
    }

    @Test
    void releasedRecordThatATransactionCompletesWakes() throws Exception {
        var request = claimRequest("key-1");
        here.write(List.of(new RecordWrite.Release(acquired(here, request).claim())));
        try (var watch = new RecordedWakeups(there, request.lookup());
                var transaction = here.transactions().begin()) {
            var again = ClaimRequestFixtures.retryOf(request);
            var claimed = record(transaction.tryClaim(again), true);
            transaction.completeAndCommit(again, claimed, payload("paid"));

            watch.awaitOne();
        }
    }

    @Test
    void transactionThatEndsWithoutAResultWakesOnceItIsRolledBack() throws Exception {
        var request = claimRequest("key-1");
        try (var watch = new RecordedWakeups(there, request.lookup())) {
            try (var transaction = here.transactions().begin()) {
                record(transaction.tryClaim(request), true);
                Thread.sleep(WakeupChannel.EARLIEST_WATCH);
                watch.assertNone();
            }
            watch.awaitOne();
        }
    }

    @Test
    void nothingIsNotifiedWhereNobodyWaits() throws Exception {
        try (var heard = new HeardNotifications(source, "refrain_done")) {
            for (int i = 0; i < 20; i++) {
                var claimed = acquired(here, claimRequest("leased-" + i));
                here.write(List.of(complete(claimed.claim(), "paid")));
                var request = claimRequest("transactional-" + i);
                try (var transaction = here.transactions().begin()) {
                    var there = record(transaction.tryClaim(request), true);
                    Thread.sleep(i == 0 ? WakeupChannel.EARLIEST_WATCH : Duration.ZERO);
                    transaction.completeAndCommit(request, there, payload("paid"));
                }
                try (var rolledBack = here.transactions().begin()) {
                    record(rolledBack.tryClaim(claimRequest("rolled-back-" + i)), true);
                }
            }
            // What was sent before would come before it.
            sql.execute("NOTIFY refrain_done, 'the last one'");
            heard.awaitLast("the last one");
            assertThat(heard.all()).containsExactly("the last one");
        }
    }

    @Test
    void hashOfAWatchedRecordIsNotifiedByAConnectionThatNeitherWorksNorCompletes() throws Exception {
        var statements = new RecordedStatements(source);
        try (var heard = new HeardNotifications(source, "refrain_done");
                var recorded = JdbcStore.on(statements.source())) {
            var awaited = acquired(recorded, claimRequest("awaited"));
            var other = acquired(recorded, claimRequest("other"));
            var request = claimRequest("transactional");
            try (var watch = new RecordedWakeups(there, awaited.lookup());
                    var second = new RecordedWakeups(there, request.lookup());
                    var transaction = recorded.transactions().begin()) {
                recorded.write(List.of(complete(awaited.claim(), "paid"), complete(other.claim(), "paid")).stream()
                        .sorted(java.util.Comparator.comparing(w -> w.claim().lookup()))
                        .toList());
                var claimed = record(transaction.tryClaim(request), true);
                // Whoever ends sooner does not look for those who wait.
                Thread.sleep(WakeupChannel.EARLIEST_WATCH);
                transaction.completeAndCommit(request, claimed, payload("paid"));
                watch.awaitOne();
                second.awaitOne();
            }
            sql.execute("NOTIFY refrain_done, 'the last one'");
            heard.awaitLast("the last one");
            assertThat(heard.all())
                    .containsExactlyInAnyOrder(
                            awaited.lookup().asUuid().toString(),
                            request.lookup().asUuid().toString(),
                            "the last one");
        }
        assertThat(statements.ofConnectionsWith("pg_notify"))
                .isNotEmpty()
                .noneMatch(
                        text -> text.contains("UPDATE refrain_record") || text.contains("INSERT INTO refrain_record"));
    }

    @Test
    void listenerWhoseConnectionIsLostComesBackAndMissesNothing() throws Exception {
        var claimed = acquired(here, claimRequest("key-1"));
        awaitNoListener();
        try (var watch = new RecordedWakeups(there, claimed.lookup())) {
            int pid = (int) sql.number("SELECT pid " + LISTENERS);
            sql.execute("SELECT pg_terminate_backend(" + pid + ")");
            // Whatever happens meanwhile is looked for when it is back.
            watch.awaitOne();
            watch.forget();

            here.write(List.of(complete(claimed.claim(), "paid")));

            watch.awaitOne();
        }
    }

    @Test
    void crashBetweenCommitAndNotificationLeavesTheWaitToPolling() throws Exception {
        var patient = Refrain.using(there, RefrainSettings.defaults());
        var work = new HeldWork();
        threads.submit(() -> leased(runner).run(call(), claim -> work.run()));
        work.awaitBegin();
        var waiting = threads.submit(() -> leased(patient).run(call(), claim -> "paid by the second"));
        await().until(() -> sql.number("SELECT count(*) FROM refrain_waiter") == 1);

        sql.execute("UPDATE refrain_record SET state = 3");

        assertThat(answerOf(waiting)).isEqualTo("paid by the second");
        patient.close(Duration.ZERO);
    }

    @Test
    void registrationsAreRemovedWithTheLastWaiterAndThoseOfTheDeadAreReaped() throws Exception {
        var claimed = acquired(here, claimRequest("key-1"));
        try (var watch = new RecordedWakeups(there, claimed.lookup());
                var second = new RecordedWakeups(here, claimed.lookup())) {
            assertThat(sql.number("SELECT count(*) FROM refrain_waiter")).isEqualTo(2);
            watch.unwatch(claimed.lookup());
            await().until(() -> sql.number("SELECT count(*) FROM refrain_waiter") == 1);
            second.close();
            await().until(() -> sql.number("SELECT count(*) FROM refrain_waiter") == 0);
        }
        sql.execute("INSERT INTO refrain_waiter VALUES (gen_random_uuid(), gen_random_uuid(), now() - interval '1 s'),"
                + " (gen_random_uuid(), gen_random_uuid(), now() + interval '1 h')");

        here.reap(10);

        assertThat(sql.number("SELECT count(*) FROM refrain_waiter")).isEqualTo(1);
    }

    @Test
    void nothingListensWhileNobodyWaits() throws Exception {
        var claimed = acquired(here, claimRequest("key-1"));
        awaitNoListener();
        try (var watch = new RecordedWakeups(there, claimed.lookup())) {
            assertThat(sql.number("SELECT count(*) " + LISTENERS)).isEqualTo(1);
            watch.unwatch(claimed.lookup());
            awaitNoListener();
        }
    }

    /** The start tries whether notifications arrive, and the connection of that trial may still be closing. */
    private void awaitNoListener() {
        await().atMost(Duration.ofMinutes(1)).until(() -> sql.number("SELECT count(*) " + LISTENERS) == 0);
    }
}
