package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an outbox promises, on each database. */
abstract class OutboxContract {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration NONE = Duration.ZERO;
    private static final long ANY_BYTES = Long.MAX_VALUE;

    private DataSource source;
    private RawSql sql;
    private JdbcStore store;
    private JdbcStore secondStore;
    private OutboxStore<Connection> outbox;
    private OutboxStore<Connection> second;

    abstract DataSource database();

    /** An expression that is a stored time, some time earlier. */
    abstract String earlier(String column, Duration time);

    @BeforeEach
    void open() {
        source = database();
        sql = new RawSql(source);
        store = JdbcStore.on(source);
        outbox = store.outbox();
        secondStore = JdbcStore.on(source);
        second = secondStore.outbox();
    }

    @AfterEach
    void close() {
        store.close();
        secondStore.close();
    }

    private static StagedMessage message(String topic, String text) {
        return new StagedMessage(ExecutionEnvironment.system().newNonce(), topic, Optional.empty(), payload(text));
    }

    private static StagedMessage inOrder(String key, String text) {
        return new StagedMessage(ExecutionEnvironment.system().newNonce(), "t", Optional.of(key), payload(text));
    }

    private static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private void stage(StagedMessage... messages) {
        transact(connection -> {
            for (var message : messages) {
                outbox.stage(connection, message);
            }
        });
    }

    @FunctionalInterface
    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void transact(Work work) {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static MessageLeaseRequest order(int rows) {
        return new MessageLeaseRequest("t", LEASE, rows, rows, ANY_BYTES);
    }

    private List<LeasedMessage> take() {
        return outbox.leaseMessages(order(10));
    }

    private static List<String> texts(Collection<LeasedMessage> taken) {
        return taken.stream()
                .map(t -> new String(t.payload().bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    private void letPass(Duration time) {
        for (String column : List.of("staged_at", "due_at", "lease_until", "sent_at")) {
            sql.execute("UPDATE refrain_outbox SET " + column + " = " + earlier(column, time));
        }
        for (String column : List.of("settled_at", "keep_until", "sent_at")) {
            sql.execute("UPDATE refrain_outbox_past SET " + column + " = " + earlier(column, time));
        }
    }

    private static List<MessageSettlement> all(
            List<LeasedMessage> taken, Function<LeasedMessage, MessageSettlement> settlement) {
        return taken.stream().map(settlement).toList();
    }

    private static MessageSettlement delivered(LeasedMessage taken) {
        return new MessageSettlement.Delivered(taken.row(), NONE);
    }

    @Test
    void aMessageIsThereOnceItsTransactionHasCommitted() throws SQLException {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            outbox.stage(connection, message("t", "kept"));
            assertThat(second.backlog("t", 10).waiting()).isZero();
            connection.commit();
            outbox.stage(connection, message("t", "taken back"));
            connection.rollback();
        }
        assertThat(texts(take())).containsExactly("kept");
    }

    @Test
    void withoutATransactionNothingIsStaged() throws SQLException {
        try (var connection = source.getConnection()) {
            assertThatThrownBy(() -> outbox.stage(connection, message("t", "x")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThat(take()).isEmpty();
    }

    @Test
    void whatOneHasTakenNobodyElseIsGivenUntilItsLeaseIsOver() {
        stage(message("t", "a"), message("t", "b"), message("other", "c"));
        var taken = take();
        assertThat(texts(taken)).containsExactly("a", "b");
        assertThat(taken).allMatch(t -> t.attempts() == 1 && !t.mayHaveArrived());
        assertThat(second.leaseMessages(order(10))).isEmpty();

        letPass(LEASE.plusSeconds(1));
        var again = second.leaseMessages(order(10));
        assertThat(texts(again)).containsExactly("a", "b");
        assertThat(again)
                .allMatch(t -> t.attempts() == 2
                        && t.mayHaveArrived()
                        && t.unresolvedSince().compareTo(LEASE) > 0);

        assertThat(outbox.settle(all(taken, OutboxContract::delivered))).isEmpty();
        assertThat(second.settle(all(again, OutboxContract::delivered))).hasSize(2);
        letPass(LEASE.multipliedBy(2));
        assertThat(take()).isEmpty();
    }

    @Test
    void manyTakersShareWithoutDoubling() throws Exception {
        int messages = 400;
        for (int i = 0; i < messages / 20; i++) {
            var some = new StagedMessage[20];
            for (int j = 0; j < some.length; j++) {
                some[j] = message("t", "m" + (i * 20 + j));
            }
            stage(some);
        }
        var seen = new ArrayList<String>();
        var together = new CountDownLatch(1);
        Callable<List<String>> one = () -> drained(outbox, together);
        Callable<List<String>> two = () -> drained(second, together);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = List.of(threads.submit(one), threads.submit(two), threads.submit(one), threads.submit(two));
            together.countDown();
            for (var future : futures) {
                seen.addAll(future.get(60, TimeUnit.SECONDS));
            }
        }
        assertThat(seen).hasSize(messages);
        assertThat(new HashSet<>(seen)).hasSize(messages);
    }

    private static List<String> drained(OutboxStore<Connection> from, CountDownLatch together) throws Exception {
        together.await();
        var seen = new ArrayList<String>();
        while (true) {
            var taken = from.leaseMessages(order(7));
            if (taken.isEmpty()) {
                return seen;
            }
            seen.addAll(texts(taken));
            from.settle(all(taken, OutboxContract::delivered));
        }
    }

    @Test
    void whatFailedComesBackAfterItsPauseAndMayHaveArrived() {
        stage(message("t", "a"));
        var taken = take().getFirst();
        outbox.settle(List.of(new MessageSettlement.Failed(taken.row(), Duration.ofMinutes(5), "no \0 answer")));
        assertThat(take()).isEmpty();
        letPass(Duration.ofMinutes(6));
        var again = take().getFirst();
        assertThat(again.mayHaveArrived()).isTrue();
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.unresolvedSince()).isGreaterThan(Duration.ofMinutes(5));
    }

    @Test
    void whatWasRefusedDidNotArriveButCounts() {
        stage(message("t", "a"));
        outbox.settle(List.of(new MessageSettlement.Refused(take().getFirst().row(), NONE, "503")));
        var again = take().getFirst();
        assertThat(again.mayHaveArrived()).isFalse();
        assertThat(again.attempts()).isEqualTo(2);
    }

    @Test
    void whatWasNotSentDoesNotCountUnlessItMayHaveBeenSentBefore() {
        stage(message("t", "a"));
        outbox.settle(List.of(new MessageSettlement.NotSent(take().getFirst().row(), NONE, "refused")));
        var second = take().getFirst();
        assertThat(second.mayHaveArrived()).isFalse();
        assertThat(second.attempts()).isEqualTo(1);
        outbox.settle(List.of(new MessageSettlement.Failed(second.row(), NONE, "reply lost")));
        outbox.settle(List.of(new MessageSettlement.NotSent(take().getFirst().row(), NONE, "refused")));
        assertThat(take().getFirst().mayHaveArrived()).isTrue();
    }

    @Test
    void onlyTheFrontOfALaneIsGiven() {
        stage(inOrder("k", "1"), inOrder("k", "2"), inOrder("k", "3"), message("t", "free"));
        var first = outbox.leaseMessages(new MessageLeaseRequest("t", LEASE, 1, 1, ANY_BYTES));
        assertThat(texts(first)).containsExactly("1");
        assertThat(texts(second.leaseMessages(order(10)))).containsExactly("free");

        outbox.settle(List.of(new MessageSettlement.Failed(first.getFirst().row(), Duration.ofMinutes(1), "later")));
        assertThat(second.leaseMessages(order(10))).isEmpty();
        letPass(Duration.ofMinutes(2));

        var rest = second.leaseMessages(order(10));
        assertThat(texts(rest)).containsSubsequence("1", "2", "3");
    }

    @Test
    void lanesDoNotWaitForEachOther() {
        stage(inOrder("a", "a1"), inOrder("b", "b1"), inOrder("a", "a2"), inOrder("b", "b2"));
        assertThat(inOrder("a", "").lane()).isNotEqualTo(inOrder("b", "").lane());
        var taken = take();
        assertThat(texts(taken)).containsExactly("a1", "b1", "a2", "b2");
        outbox.settle(List.of(
                new MessageSettlement.Failed(taken.get(0).row(), Duration.ofMinutes(1), "later"),
                new MessageSettlement.NotSent(taken.get(1).row(), NONE, "stopped"),
                new MessageSettlement.NotSent(taken.get(2).row(), NONE, "waits"),
                new MessageSettlement.NotSent(taken.get(3).row(), NONE, "stopped")));
        assertThat(texts(take())).containsExactly("b1", "b2");
    }

    @Test
    void aDeadMessageMakesWayForTheRestOfItsLane() {
        stage(inOrder("k", "poison"), inOrder("k", "next"));
        var taken = outbox.leaseMessages(new MessageLeaseRequest("t", LEASE, 1, 1, ANY_BYTES))
                .getFirst();
        outbox.settle(List.of(new MessageSettlement.Dead(taken.row(), Cause.EXHAUSTED, 1, "ten times")));
        assertThat(texts(take())).containsExactly("next");
        assertThat(outbox.deadLetters(Optional.empty(), 10)).singleElement().satisfies(letter -> {
            assertThat(letter.id()).isEqualTo(taken.id());
            assertThat(letter.cause()).isEqualTo(Cause.EXHAUSTED);
            assertThat(letter.reason()).isEqualTo("ten times");
            assertThat(letter.attempts()).isEqualTo(1);
        });
    }

    @Test
    void aDeadLetterIsSentAgainUnderItsIdAndThatIsAudited() {
        stage(message("t", "a"), message("t", "b"));
        var taken = take();
        outbox.settle(all(taken, t -> new MessageSettlement.Dead(t.row(), Cause.UNKNOWN, 1, "who knows")));
        var letters = outbox.deadLetters(Optional.empty(), 1);
        var rest = outbox.deadLetters(Optional.of(letters.getFirst()), 10);
        assertThat(rest).hasSize(1);

        var again = List.of(letters.getFirst().id());
        assertThat(outbox.resolveDeadLetters(
                        new DeadLetterDecision(again, DeadLetterDecision.Verdict.RESEND, "ann", "asked them")))
                .isEqualTo(1);
        assertThat(outbox.resolveDeadLetters(
                        new DeadLetterDecision(again, DeadLetterDecision.Verdict.RESEND, "ann", "asked them")))
                .isZero();
        assertThat(outbox.resolveDeadLetters(new DeadLetterDecision(
                        List.of(rest.getFirst().id()), DeadLetterDecision.Verdict.DISCARD, "bob", "too late")))
                .isEqualTo(1);

        assertThat(take()).singleElement().satisfies(t -> {
            assertThat(t.id()).isEqualTo(letters.getFirst().id());
            assertThat(t.mayHaveArrived()).isFalse();
            assertThat(t.attempts()).isEqualTo(1);
        });
        assertThat(outbox.deadLetters(Optional.empty(), 10)).isEmpty();
        assertThat(store.listAuditTrail(10))
                .extracting(entry -> entry.action() + " by " + entry.who() + ": " + entry.why())
                .containsExactly("outbox: dismiss by bob: too late", "outbox: send again by ann: asked them");
    }

    /** Somebody decides that it is worth sending again, which does not say that it never arrived. */
    @Test
    void ofADeadLetterThatIsSentAgainItIsStillKnownWhetherItMayHaveArrived() {
        stage(message("t", "lost"), message("t", "refused"));
        var taken = take();
        outbox.settle(List.of(
                new MessageSettlement.Dead(taken.get(0).row(), Cause.EXHAUSTED, 1, "the reply is lost"),
                new MessageSettlement.Dead(taken.get(1).row(), Cause.EXHAUSTED, 0, "503")));
        letPass(Duration.ofMinutes(5));

        outbox.resolveDeadLetters(new DeadLetterDecision(
                taken.stream().map(LeasedMessage::id).toList(),
                DeadLetterDecision.Verdict.RESEND,
                "ann",
                "it is mended"));

        var again = take();
        assertThat(again)
                .hasSize(2)
                .allMatch(t -> t.attempts() == 1)
                .allSatisfy(t -> assertThat(t.mayHaveArrived())
                        .isEqualTo(texts(List.of(t)).equals(List.of("lost"))));
        assertThat(again)
                .filteredOn(LeasedMessage::mayHaveArrived)
                .allMatch(t -> t.unresolvedSince().compareTo(Duration.ofMinutes(5)) > 0);
    }

    @Test
    void deliveredMessagesAreKeptAsLongAsAsked() {
        stage(message("t", "a"), message("t", "b"));
        var taken = take();
        outbox.settle(List.of(
                new MessageSettlement.Delivered(taken.get(0).row(), Duration.ofHours(1)), delivered(taken.get(1))));
        assertThat(sql.number("SELECT count(*) FROM refrain_outbox_past")).isEqualTo(1);
        assertThat(outbox.reap(10)).isZero();
        letPass(Duration.ofHours(2));
        assertThat(outbox.reap(10)).isEqualTo(1);
        assertThat(sql.number("SELECT count(*) FROM refrain_outbox_past")).isZero();
    }

    @Test
    void bytesOfATakingAreBounded() {
        String large = "x".repeat(1000);
        stage(message("t", large), message("t", large), message("t", large));
        assertThat(outbox.leaseMessages(new MessageLeaseRequest("t", LEASE, 10, 10, 1500)))
                .hasSize(2);
        assertThat(outbox.leaseMessages(new MessageLeaseRequest("t", LEASE, 10, 10, 1)))
                .hasSize(1);
    }

    @Test
    void bytesComeBackAsTheyWere() {
        var bytes = new byte[1 << 20];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        var large =
                new StagedMessage(ExecutionEnvironment.system().newNonce(), "t", Optional.of("k"), Payload.of(bytes));
        stage(large, message("t", ""));
        var taken = take();
        assertThat(taken.get(0).payload()).isEqualTo(large.payload());
        assertThat(taken.get(0).orderKey()).contains("k");
        assertThat(taken.get(0).id()).isEqualTo(large.id());
        assertThat(taken.get(1).payload().size()).isZero();
    }

    @Test
    void whatIsHandledCommitsWithItsSettlementOrNotAtAll() throws SQLException {
        sql.execute("CREATE TABLE done (what VARCHAR(10))");
        stage(message("t", "a"));
        var taken = take();
        letPass(LEASE.plusSeconds(1));
        var again = second.leaseMessages(order(10));

        for (var late : List.of(taken, again)) {
            try (var transaction = outbox.begin();
                    var statement = transaction.connection().createStatement()) {
                statement.execute(
                        "INSERT INTO done VALUES ('" + late.getFirst().row().fence() + "')");
                assertThat(transaction.settleAndCommit(all(late, OutboxContract::delivered)))
                        .isEqualTo(late.equals(again));
            }
        }
        assertThat(sql.text("SELECT max(what) FROM done")).isEqualTo("2");
        assertThat(sql.number("SELECT count(*) FROM done")).isEqualTo(1);
        assertThat(outbox.backlog("t", 10).waiting()).isZero();
    }

    @Test
    void theBacklogIsCountedAndItsLagKnown() {
        assertThat(outbox.backlog("t", 10)).satisfies(b -> {
            assertThat(b.waiting()).isZero();
            assertThat(b.lag()).isZero();
        });
        stage(message("t", "a"), inOrder("k", "b"), message("t", "c"));
        letPass(Duration.ofMinutes(3));
        stage(message("t", "d"));
        assertThat(outbox.backlog("t", 10)).satisfies(b -> {
            assertThat(b.waiting()).isEqualTo(4);
            assertThat(b.lag()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(4));
            assertThat(b.more()).isFalse();
        });
        assertThat(outbox.backlog("t", 2).more()).isTrue();
        outbox.settle(all(take(), t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "no")));
        assertThat(outbox.backlog("t", 10).dead()).isEqualTo(4);
    }

    @Test
    void aBacklogIsThatOfItsTopicAlone() {
        stage(message("t", "dead"), message("t", "waits"), message("other", "waits"));
        outbox.settle(List.of(new MessageSettlement.Dead(take().getFirst().row(), Cause.REFUSED, 0, "no")));
        letPass(Duration.ofMinutes(3));
        stage(message("young", "waits"));

        assertThat(outbox.backlog("other", 10)).satisfies(b -> {
            assertThat(b.waiting()).isEqualTo(1);
            assertThat(b.dead()).isZero();
        });
        assertThat(outbox.backlog("young", 10).lag()).isLessThan(Duration.ofMinutes(1));
        // What another topic has too many of says nothing of this one.
        assertThat(outbox.backlog("other", 2).more()).isFalse();
        assertThat(outbox.backlog("nothing", 10)).satisfies(b -> {
            assertThat(b.waiting() + b.dead()).isZero();
            assertThat(b.lag()).isZero();
        });
    }

    @Test
    void aCommitWakesThoseWhoListen() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        try (var listening = outbox.subscribeToCommits(heard::add)) {
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEmpty();
            stage(message("t", "a"));
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isIn("t", "");
            take();
        }
    }
}
