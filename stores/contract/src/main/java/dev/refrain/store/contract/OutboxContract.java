package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link OutboxStore}: a message is there if its transaction committed, is handed to one taker at a time, and leaves
 * by a settlement under its own fence alone.
 *
 * @param <C> how a transaction reaches the database
 */
public interface OutboxContract<C> extends TransactionalSuite<C> {

    Duration LEASE = Duration.ofSeconds(30);
    Duration NONE = Duration.ZERO;
    long ANY_BYTES = Long.MAX_VALUE;

    /** As another process has it. */
    private OutboxStore<?> second() {
        return StoreAbility.require(client().harness().openSecond(), OutboxStore.class, "This suite");
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

    private void stage(StagedMessage... messages) throws Exception {
        database().inTransaction(connection -> {
            for (var message : messages) {
                outbox().stage(connection, message);
            }
        });
    }

    private static MessageLeaseRequest order(int rows) {
        return new MessageLeaseRequest("t", LEASE, rows, rows, ANY_BYTES);
    }

    private List<LeasedMessage> take() {
        return outbox().leaseMessages(order(10));
    }

    private static List<String> texts(Collection<LeasedMessage> taken) {
        return taken.stream()
                .map(t -> new String(t.payload().bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    private static List<MessageSettlement> all(
            List<LeasedMessage> taken, Function<LeasedMessage, MessageSettlement> settlement) {
        return taken.stream().map(settlement).toList();
    }

    private static MessageSettlement delivered(LeasedMessage taken) {
        return new MessageSettlement.Delivered(taken.row(), NONE);
    }

    @Test
    default void aMessageIsThereOnceItsTransactionHasCommitted() throws Exception {
        var second = second();
        database().inTransaction(connection -> {
            outbox().stage(connection, message("t", "kept"));
            assertThat(second.backlog("t", 10).waiting()).isZero();
        });
        assertThatThrownBy(() -> database().inTransaction(connection -> {
                    outbox().stage(connection, message("t", "taken back"));
                    throw new IllegalStateException("rolled back");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(texts(take())).containsExactly("kept");
    }

    @Test
    default void whatOneHasTakenNobodyElseIsGivenUntilItsLeaseIsOver() throws Exception {
        var second = second();
        stage(message("t", "a"), message("t", "b"), message("other", "c"));
        var taken = take();
        assertThat(texts(taken)).containsExactly("a", "b");
        assertThat(taken).allMatch(t -> t.attempts() == 1 && !t.mayHaveArrived());
        assertThat(second.leaseMessages(order(10))).isEmpty();

        client().advanceTime(LEASE.plusSeconds(1));
        var again = second.leaseMessages(order(10));
        assertThat(texts(again)).containsExactly("a", "b");
        assertThat(again)
                .allMatch(t -> t.attempts() == 2
                        && t.mayHaveArrived()
                        && t.unresolvedSince().compareTo(LEASE) > 0);

        assertThat(outbox().settle(all(taken, OutboxContract::delivered))).isEmpty();
        assertThat(second.settle(all(again, OutboxContract::delivered))).hasSize(2);
        client().advanceTime(LEASE.multipliedBy(2));
        assertThat(take()).isEmpty();
    }

    @Test
    default void manyTakersShareWithoutDoubling() throws Exception {
        var second = second();
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
        Callable<List<String>> one = () -> drained(outbox(), together);
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

    private static List<String> drained(OutboxStore<?> from, CountDownLatch together) throws Exception {
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
    default void whatFailedComesBackAfterItsPauseAndMayHaveArrived() throws Exception {
        stage(message("t", "a"));
        var taken = take().getFirst();
        outbox().settle(List.of(new MessageSettlement.Failed(taken.row(), Duration.ofMinutes(5), "no \0 answer")));
        assertThat(take()).isEmpty();
        client().advanceTime(Duration.ofMinutes(6));
        var again = take().getFirst();
        assertThat(again.mayHaveArrived()).isTrue();
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.unresolvedSince()).isGreaterThan(Duration.ofMinutes(5));
    }

    @Test
    default void whatWasRefusedDidNotArriveButCounts() throws Exception {
        stage(message("t", "a"));
        outbox().settle(List.of(new MessageSettlement.Refused(take().getFirst().row(), NONE, "503")));
        var again = take().getFirst();
        assertThat(again.mayHaveArrived()).isFalse();
        assertThat(again.attempts()).isEqualTo(2);
    }

    @Test
    default void whatWasNotSentDoesNotCountUnlessItMayHaveBeenSentBefore() throws Exception {
        stage(message("t", "a"));
        outbox().settle(List.of(new MessageSettlement.NotSent(take().getFirst().row(), NONE, "refused")));
        var second = take().getFirst();
        assertThat(second.mayHaveArrived()).isFalse();
        assertThat(second.attempts()).isEqualTo(1);
        outbox().settle(List.of(new MessageSettlement.Failed(second.row(), NONE, "reply lost")));
        outbox().settle(List.of(new MessageSettlement.NotSent(take().getFirst().row(), NONE, "refused")));
        assertThat(take().getFirst().mayHaveArrived()).isTrue();
    }

    @Test
    default void onlyTheFrontOfALaneIsGiven() throws Exception {
        var second = second();
        stage(inOrder("k", "1"), inOrder("k", "2"), inOrder("k", "3"), message("t", "free"));
        var first = outbox().leaseMessages(new MessageLeaseRequest("t", LEASE, 1, 1, ANY_BYTES));
        assertThat(texts(first)).containsExactly("1");
        assertThat(texts(second.leaseMessages(order(10)))).containsExactly("free");

        outbox().settle(List.of(new MessageSettlement.Failed(first.getFirst().row(), Duration.ofMinutes(1), "later")));
        assertThat(second.leaseMessages(order(10))).isEmpty();
        client().advanceTime(Duration.ofMinutes(2));

        var rest = second.leaseMessages(order(10));
        assertThat(texts(rest)).containsSubsequence("1", "2", "3");
    }

    @Test
    default void lanesDoNotWaitForEachOther() throws Exception {
        stage(inOrder("a", "a1"), inOrder("b", "b1"), inOrder("a", "a2"), inOrder("b", "b2"));
        assertThat(inOrder("a", "").lane()).isNotEqualTo(inOrder("b", "").lane());
        var taken = take();
        assertThat(texts(taken)).containsExactly("a1", "b1", "a2", "b2");
        outbox().settle(List.of(
                new MessageSettlement.Failed(taken.get(0).row(), Duration.ofMinutes(1), "later"),
                new MessageSettlement.NotSent(taken.get(1).row(), NONE, "stopped"),
                new MessageSettlement.NotSent(taken.get(2).row(), NONE, "waits"),
                new MessageSettlement.NotSent(taken.get(3).row(), NONE, "stopped")));
        assertThat(texts(take())).containsExactly("b1", "b2");
    }

    @Test
    default void aDeadMessageMakesWayForTheRestOfItsLane() throws Exception {
        stage(inOrder("k", "poison"), inOrder("k", "next"));
        var taken = outbox().leaseMessages(new MessageLeaseRequest("t", LEASE, 1, 1, ANY_BYTES))
                .getFirst();
        outbox().settle(List.of(new MessageSettlement.Dead(taken.row(), Cause.EXHAUSTED, 1, "ten times")));
        assertThat(texts(take())).containsExactly("next");
        assertThat(outbox().deadLetters(Optional.empty(), 10)).singleElement().satisfies(letter -> {
            assertThat(letter.id()).isEqualTo(taken.id());
            assertThat(letter.cause()).isEqualTo(Cause.EXHAUSTED);
            assertThat(letter.reason()).isEqualTo("ten times");
            assertThat(letter.attempts()).isEqualTo(1);
        });
    }

    @Test
    default void aDeadLetterIsSentAgainUnderItsIdAndThatIsAudited() throws Exception {
        stage(message("t", "a"), message("t", "b"));
        var taken = take();
        outbox().settle(all(taken, t -> new MessageSettlement.Dead(t.row(), Cause.UNKNOWN, 1, "who knows")));
        var letters = outbox().deadLetters(Optional.empty(), 1);
        var rest = outbox().deadLetters(Optional.of(letters.getFirst()), 10);
        assertThat(rest).hasSize(1);

        var again = List.of(letters.getFirst().id());
        assertThat(outbox().resolveDeadLetters(
                                new DeadLetterDecision(again, DeadLetterDecision.Verdict.RESEND, "ann", "asked them")))
                .isEqualTo(1);
        assertThat(outbox().resolveDeadLetters(
                                new DeadLetterDecision(again, DeadLetterDecision.Verdict.RESEND, "ann", "asked them")))
                .isZero();
        assertThat(outbox().resolveDeadLetters(new DeadLetterDecision(
                        List.of(rest.getFirst().id()), DeadLetterDecision.Verdict.DISCARD, "bob", "too late")))
                .isEqualTo(1);

        assertThat(take()).singleElement().satisfies(t -> {
            assertThat(t.id()).isEqualTo(letters.getFirst().id());
            assertThat(t.mayHaveArrived()).isFalse();
            assertThat(t.attempts()).isEqualTo(1);
        });
        assertThat(outbox().deadLetters(Optional.empty(), 10)).isEmpty();
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10))
                                .extracting(entry -> entry.action() + " by " + entry.who() + ": " + entry.why())
                                .containsExactly(
                                        "outbox: dismiss by bob: too late", "outbox: send again by ann: asked them"));
    }

    /** Somebody decides that it is worth sending again, which does not say that it never arrived. */
    @Test
    default void ofADeadLetterThatIsSentAgainItIsStillKnownWhetherItMayHaveArrived() throws Exception {
        stage(message("t", "lost"), message("t", "refused"));
        var taken = take();
        outbox().settle(List.of(
                new MessageSettlement.Dead(taken.get(0).row(), Cause.EXHAUSTED, 1, "the reply is lost"),
                new MessageSettlement.Dead(taken.get(1).row(), Cause.EXHAUSTED, 0, "503")));
        client().advanceTime(Duration.ofMinutes(5));

        outbox().resolveDeadLetters(new DeadLetterDecision(
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
    default void deliveredMessagesAreKeptAsLongAsAsked() throws Exception {
        stage(message("t", "a"), message("t", "b"));
        var taken = take();
        outbox().settle(List.of(
                new MessageSettlement.Delivered(taken.get(0).row(), Duration.ofHours(1)), delivered(taken.get(1))));
        assertThat(outbox().reap(10)).isZero();
        client().advanceTime(Duration.ofHours(2));
        assertThat(outbox().reap(10)).isEqualTo(1);
        assertThat(outbox().reap(10)).isZero();
    }

    @Test
    default void bytesOfATakingAreBounded() throws Exception {
        String large = "x".repeat(1000);
        stage(message("t", large), message("t", large), message("t", large));
        assertThat(outbox().leaseMessages(new MessageLeaseRequest("t", LEASE, 10, 10, 1500)))
                .hasSize(2);
        assertThat(outbox().leaseMessages(new MessageLeaseRequest("t", LEASE, 10, 10, 1)))
                .hasSize(1);
    }

    @Test
    default void bytesComeBackAsTheyWere() throws Exception {
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
    default void whatIsHandledCommitsWithItsSettlementOrNotAtAll() throws Exception {
        var second = second();
        stage(message("t", "a"));
        var taken = take();
        client().advanceTime(LEASE.plusSeconds(1));
        var again = second.leaseMessages(order(10));

        for (var late : List.of(taken, again)) {
            try (var transaction = outbox().begin()) {
                database()
                        .insertNote(
                                transaction.connection(),
                                "under fence " + late.getFirst().row().fence());
                assertThat(transaction.settleAndCommit(all(late, OutboxContract::delivered)))
                        .isEqualTo(late.equals(again));
            }
        }
        assertThat(database().notes()).containsExactly("under fence 2");
        assertThat(outbox().backlog("t", 10).waiting()).isZero();
    }

    @Test
    default void theBacklogIsCountedAndItsLagKnown() throws Exception {
        assertThat(outbox().backlog("t", 10)).satisfies(b -> {
            assertThat(b.waiting()).isZero();
            assertThat(b.lag()).isZero();
        });
        stage(message("t", "a"), inOrder("k", "b"), message("t", "c"));
        client().advanceTime(Duration.ofMinutes(3));
        stage(message("t", "d"));
        assertThat(outbox().backlog("t", 10)).satisfies(b -> {
            assertThat(b.waiting()).isEqualTo(4);
            assertThat(b.lag()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(4));
            assertThat(b.more()).isFalse();
        });
        assertThat(outbox().backlog("t", 2).more()).isTrue();
        outbox().settle(all(take(), t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "no")));
        assertThat(outbox().backlog("t", 10).dead()).isEqualTo(4);
    }

    @Test
    default void aBacklogIsThatOfItsTopicAlone() throws Exception {
        stage(message("t", "dead"), message("t", "waits"), message("other", "waits"));
        outbox().settle(List.of(new MessageSettlement.Dead(take().getFirst().row(), Cause.REFUSED, 0, "no")));
        client().advanceTime(Duration.ofMinutes(3));
        stage(message("young", "waits"));

        assertThat(outbox().backlog("other", 10)).satisfies(b -> {
            assertThat(b.waiting()).isEqualTo(1);
            assertThat(b.dead()).isZero();
        });
        assertThat(outbox().backlog("young", 10).lag()).isLessThan(Duration.ofMinutes(1));
        // What another topic has too many of says nothing of this one.
        assertThat(outbox().backlog("other", 2).more()).isFalse();
        assertThat(outbox().backlog("nothing", 10)).satisfies(b -> {
            assertThat(b.waiting() + b.dead()).isZero();
            assertThat(b.lag()).isZero();
        });
    }
}
