package dev.refrain.store.contract;

import static dev.refrain.store.contract.OutboxTestMessages.all;
import static dev.refrain.store.contract.OutboxTestMessages.delivered;
import static dev.refrain.store.contract.OutboxTestMessages.inOrder;
import static dev.refrain.store.contract.OutboxTestMessages.labelled;
import static dev.refrain.store.contract.OutboxTestMessages.message;
import static dev.refrain.store.contract.OutboxTestMessages.order;
import static dev.refrain.store.contract.OutboxTestMessages.stage;
import static dev.refrain.store.contract.OutboxTestMessages.take;
import static dev.refrain.store.contract.OutboxTestMessages.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link OutboxStore}: a message exists if its transaction committed, is claimed by one relay at a time, and
 * is removed only by a settlement under its own fence.
 *
 * @param <C> the caller's access to the database in its transaction
 */
public interface OutboxContract<C> extends DeadLetterContractTests<C> {

    Duration LEASE = Duration.ofSeconds(30);
    Duration NONE = Duration.ZERO;
    long ANY_BYTES = Long.MAX_VALUE;

    /** Returns the outbox of a second handle, as another process has it. */
    private OutboxStore<?> second() {
        return StoreAbility.require(client().harness().openSecond(), OutboxStore.class, "This suite");
    }

    @Test
    default void messageIsThereOnceItsTransactionHasCommitted() throws Exception {
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
        assertThat(texts(take(this))).containsExactly("kept");
    }

    @Test
    default void takenMessageIsGivenToNobodyElseUntilItsLeaseIsOver() throws Exception {
        var second = second();
        stage(this, message("t", "a"), message("t", "b"), message("other", "c"));
        var taken = take(this);
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

        assertThat(outbox().settle(all(taken, OutboxTestMessages::delivered))).isEmpty();
        assertThat(second.settle(all(again, OutboxTestMessages::delivered))).hasSize(2);
        client().advanceTime(LEASE.multipliedBy(2));
        assertThat(take(this)).isEmpty();
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
            stage(this, some);
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
            List<LeasedMessage> taken;
            try {
                taken = from.leaseMessages(order(7));
            } catch (StoreException busy) {
                // The store may be too busy for a moment; a relay comes back too.
                if (!busy.isTransient()) {
                    throw busy;
                }
                continue;
            }
            if (taken.isEmpty()) {
                return seen;
            }
            seen.addAll(texts(taken));
            from.settle(all(taken, OutboxTestMessages::delivered));
        }
    }

    @Test
    default void failedMessageComesBackAfterItsPauseAndMayHaveArrived() throws Exception {
        stage(this, message("t", "a"));
        var taken = take(this).getFirst();
        outbox().settle(List.of(new MessageSettlement.Failed(taken.row(), Duration.ofMinutes(5), "no \0 answer")));
        assertThat(take(this)).isEmpty();
        client().advanceTime(Duration.ofMinutes(6));
        var again = take(this).getFirst();
        assertThat(again.mayHaveArrived()).isTrue();
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.unresolvedSince()).isGreaterThan(Duration.ofMinutes(5));
    }

    /** It would wait for as long as the clock was ahead. */
    @Test
    default void messageStagedWhileTheClockWasAheadIsDueOnceThatIsNoticed() throws Exception {
        letClockBeAhead(Duration.ofHours(3), () -> {
            stage(this, message("t", "a"), inOrder("key", "b"));
            return true;
        });

        assertThat(take(this)).hasSize(2);
    }

    @Test
    default void messagePutOffWhileTheClockWasAheadWaitsForItsPauseAlone() throws Exception {
        stage(this, message("t", "a"));
        letClockBeAhead(
                Duration.ofHours(3),
                () -> outbox().settle(List.of(new MessageSettlement.Failed(
                        take(this).getFirst().row(), Duration.ofMinutes(5), "no answer"))));

        assertThat(take(this)).isEmpty();
        client().advanceTime(Duration.ofMinutes(6));
        assertThat(take(this)).hasSize(1);
    }

    /** It is sent again only while its receiver remembers keys. */
    @Test
    default void messageThatMayHaveArrivedIsNoYoungerThanItIsAfterTheClockWasAhead() throws Exception {
        stage(this, message("t", "a"));
        letClockBeAhead(Duration.ofHours(3), () -> take(this));
        client().advanceTime(Duration.ofHours(4));

        assertThat(take(this).getFirst().unresolvedSince()).isGreaterThanOrEqualTo(Duration.ofHours(4));
    }

    /** Lets the outbox look at the clock while it is ahead and afterwards, as a relay's reaper does. */
    private void letClockBeAhead(Duration by, Callable<?> meanwhile) {
        client().letClockBeAhead(by, () -> {
            try {
                meanwhile.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            outbox().reap(1);
        });
        outbox().reap(1);
    }

    @Test
    default void refusedMessageDidNotArriveButCounts() throws Exception {
        stage(this, message("t", "a"));
        outbox().settle(List.of(
                new MessageSettlement.Refused(take(this).getFirst().row(), NONE, "503")));
        var again = take(this).getFirst();
        assertThat(again.mayHaveArrived()).isFalse();
        assertThat(again.attempts()).isEqualTo(2);
    }

    @Test
    default void unsentMessageDoesNotCountUnlessItMayHaveBeenSentBefore() throws Exception {
        stage(this, message("t", "a"));
        outbox().settle(List.of(
                new MessageSettlement.NotSent(take(this).getFirst().row(), NONE, "refused")));
        var second = take(this).getFirst();
        assertThat(second.mayHaveArrived()).isFalse();
        assertThat(second.attempts()).isEqualTo(1);
        outbox().settle(List.of(new MessageSettlement.Failed(second.row(), NONE, "reply lost")));
        outbox().settle(List.of(
                new MessageSettlement.NotSent(take(this).getFirst().row(), NONE, "refused")));
        assertThat(take(this).getFirst().mayHaveArrived()).isTrue();
    }

    @Test
    default void onlyTheFrontOfALaneIsGiven() throws Exception {
        var second = second();
        stage(this, inOrder("k", "1"), inOrder("k", "2"), inOrder("k", "3"), message("t", "free"));
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
        stage(this, inOrder("a", "a1"), inOrder("b", "b1"), inOrder("a", "a2"), inOrder("b", "b2"));
        assertThat(inOrder("a", "").lane()).isNotEqualTo(inOrder("b", "").lane());
        var taken = take(this);
        assertThat(texts(taken)).containsExactly("a1", "b1", "a2", "b2");
        outbox().settle(List.of(
                new MessageSettlement.Failed(taken.get(0).row(), Duration.ofMinutes(1), "later"),
                new MessageSettlement.NotSent(taken.get(1).row(), NONE, "stopped"),
                new MessageSettlement.NotSent(taken.get(2).row(), NONE, "waits"),
                new MessageSettlement.NotSent(taken.get(3).row(), NONE, "stopped")));
        assertThat(texts(take(this))).containsExactly("b1", "b2");
    }

    @Test
    default void deliveredMessagesAreKeptAsLongAsAsked() throws Exception {
        stage(this, message("t", "a"), message("t", "b"));
        var taken = take(this);
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
        stage(this, message("t", large), message("t", large), message("t", large));
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
        var large = new StagedMessage(ExecutionEnvironment.system().newNonce(), "t", "k", Payload.of(bytes));
        stage(this, large, message("t", ""));
        var taken = take(this);
        assertThat(taken.get(0).payload()).isEqualTo(large.payload());
        assertThat(taken.get(0).orderKey()).contains("k");
        assertThat(taken.get(0).id()).isEqualTo(large.id());
        assertThat(taken.get(1).payload().size()).isZero();
    }

    @Test
    default void erasureDeletesDeliveredMessagesOfAPersonAndCountsThoseInUse() throws Exception {
        var eves = MessageLabels.ofScope("acme").withSubject("eve");
        stage(
                this,
                labelled("delivered", eves),
                labelled("dead", eves),
                labelled("bob's", MessageLabels.ofScope("acme").withSubject("bob")));
        for (var message : take(this)) {
            outbox().settle(List.of(
                    new String(message.payload().bytes(), StandardCharsets.UTF_8).equals("dead")
                            ? new MessageSettlement.Dead(message.row(), MessageSettlement.Cause.REFUSED, 0, "no")
                            : new MessageSettlement.Delivered(message.row(), Duration.ofHours(1))));
        }
        stage(this, labelled("waits", eves));
        var eraser = client().ability(RecordEraser.class);

        var eve = new ErasureRequest(new ErasureRequest.OfSubject("acme", "eve"), "ann", "asked to", 10);
        assertThat(eraser.erase(eve).messages()).isEqualTo(new ErasureResult.RelatedRows(1, 2));
        assertThat(eraser.erase(eve).messages()).isEqualTo(new ErasureResult.RelatedRows(0, 2));
        var scope = new ErasureRequest(new ErasureRequest.OfScope("acme"), "ann", "asked to", 10);
        assertThat(eraser.erase(scope).messages()).isEqualTo(new ErasureResult.RelatedRows(1, 2));
        assertThat(texts(take(this))).containsExactly("waits");
    }

    @Test
    default void handlingCommitsWithItsSettlementOrNotAtAll() throws Exception {
        var second = second();
        stage(this, message("t", "a"));
        var taken = take(this);
        client().advanceTime(LEASE.plusSeconds(1));
        var again = second.leaseMessages(order(10));

        for (var late : List.of(taken, again)) {
            try (var transaction = outbox().begin()) {
                database()
                        .insertNote(
                                transaction.connection(),
                                "under fence " + late.getFirst().row().fence());
                assertThat(transaction.settleAndCommit(all(late, OutboxTestMessages::delivered)))
                        .isEqualTo(late.equals(again));
            }
        }
        assertThat(database().notes()).containsExactly("under fence 2");
        assertThat(outbox().backlog("t", 10).waiting()).isZero();
    }

    @Test
    default void backlogIsCountedAndItsLagKnown() throws Exception {
        assertThat(outbox().backlog("t", 10)).satisfies(b -> {
            assertThat(b.waiting()).isZero();
            assertThat(b.lag()).isZero();
        });
        stage(this, message("t", "a"), inOrder("k", "b"), message("t", "c"));
        client().advanceTime(Duration.ofMinutes(3));
        stage(this, message("t", "d"));
        assertThat(outbox().backlog("t", 10)).satisfies(b -> {
            assertThat(b.waiting()).isEqualTo(4);
            assertThat(b.lag()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(4));
            assertThat(b.more()).isFalse();
        });
        assertThat(outbox().backlog("t", 2).more()).isTrue();
        outbox().settle(all(take(this), t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "no")));
        assertThat(outbox().backlog("t", 10).dead()).isEqualTo(4);
    }

    @Test
    default void backlogIsThatOfItsTopicAlone() throws Exception {
        stage(this, message("t", "dead"), message("t", "waits"), message("other", "waits"));
        outbox().settle(List.of(new MessageSettlement.Dead(take(this).getFirst().row(), Cause.REFUSED, 0, "no")));
        client().advanceTime(Duration.ofMinutes(3));
        stage(this, message("young", "waits"));

        assertThat(outbox().backlog("other", 10)).satisfies(b -> {
            assertThat(b.waiting()).isEqualTo(1);
            assertThat(b.dead()).isZero();
        });
        assertThat(outbox().backlog("young", 10).lag()).isLessThan(Duration.ofMinutes(1));
        // Excess messages of another topic do not affect this one.
        assertThat(outbox().backlog("other", 2).more()).isFalse();
        assertThat(outbox().backlog("nothing", 10)).satisfies(b -> {
            assertThat(b.waiting() + b.dead()).isZero();
            assertThat(b.lag()).isZero();
        });
    }
}
