package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a relay promises with handlers in its own process, on each database. */
abstract class RelayHandlerContract extends RelayFixture {

    record Receipt(String order, long amount) {}

    private static final OutboxHandler<Connection> INSERT = (tx, delivery) -> insert(tx, delivery.bodyText());

    @Test
    void committedMessageIsHandledOnceAndAnUncommittedOneNever() throws Exception {
        started(relay().handle("t", INSERT));
        stage("t", "a", "b");
        assertThatThrownBy(() -> transact(tx -> {
                    outbox.stage(tx, "t", "never");
                    throw new IllegalStateException("taken back");
                }))
                .isInstanceOf(IllegalStateException.class);
        stage("t", "c");
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactlyInAnyOrder("a", "b", "c");
        await().untilAsserted(
                        () -> assertThat(events(RefrainEvent.Delivered.class)).hasSize(3));
    }

    @Test
    void valuesAndBytesArriveAsTheyWereStaged() throws Exception {
        var seen = Collections.synchronizedList(new ArrayList<Object>());
        started(relay().handle("values", (tx, delivery) -> seen.add(delivery.bodyAs(Receipt.class)))
                .handle("bytes", (tx, delivery) -> seen.add(delivery.body().length + ":" + delivery.body()[1])));
        transact(tx -> {
            outbox.stage(tx, "values", new Receipt("o1", 700));
            outbox.stage(tx, "bytes", new byte[] {1, 0, 2});
        });
        await().until(() -> seen.size() == 2);
        assertThat(seen).containsExactlyInAnyOrder(new Receipt("o1", 700), "3:0");
    }

    @Test
    void messageTooLargeOrWithoutATopicIsRefusedWhenStaged() throws Exception {
        transact(tx -> {
            assertThatThrownBy(() -> outbox.stage(tx, "t", new byte[(1 << 20) + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxBodyBytes");
            assertThatThrownBy(() -> outbox.stage(tx, "with space", "x"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("with space");
            assertThatThrownBy(() -> outbox.stage(tx, OutboxMessage.of("t", "x").orderedBy("\0")))
                    .isInstanceOf(IllegalArgumentException.class);
            outbox.maxBodyBytes(2 << 20).stage(tx, "t", new byte[(1 << 20) + 1]);
        });
        assertThat(waiting("t")).isEqualTo(1);
    }

    @Test
    void phaseOfAFlowStagesInItsOwnTransaction() throws Exception {
        started(relay().handle("receipts", INSERT));
        var stop = new AtomicBoolean(true);
        var flow = Flow.of("orders", String.class, String.class)
                .phase("start", (tx, at) -> {
                    outbox.stage(tx, "receipts", at.request());
                    if (stop.getAndSet(false)) {
                        throw new IllegalStateException("the phase fails after it has staged");
                    }
                    return PhaseResult.finish(201, "ok");
                })
                .build();
        var flows = FlowRunner.on(refrain, store.transactions());
        assertThatThrownBy(() ->
                        flows.run(flow, FlowRequest.of(ClientKey.scope("s").key("k"), "receipt")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(flows.run(flow, FlowRequest.of(ClientKey.scope("s").key("k"), "receipt")))
                .isEqualTo("ok");
        assertThat(flows.run(flow, FlowRequest.of(ClientKey.scope("s").key("k"), "receipt")))
                .isEqualTo("ok");
        await().until(() -> !done().isEmpty() && waiting("receipts") == 0);
        assertThat(done()).containsExactly("receipt");
    }

    @Test
    void oneThatFailsAmongManyIsTriedAgainAndNoneIsDoneTwice() throws Exception {
        var failures = new AtomicInteger();
        stage("t", IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new));
        started(relay().handle(TopicSettings.of("t").backoff(AT_ONCE), (tx, delivery) -> {
            insert(tx, delivery.bodyText());
            if (delivery.bodyText().equals("m30") && failures.incrementAndGet() < 4) {
                throw new IllegalStateException("not yet");
            }
        }));
        await().until(() -> waiting("t") == 0);
        assertThat(done())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 50).mapToObj(i -> "m" + i).toList());
        assertThat(failures).hasValue(4);
        assertThat(events(RefrainEvent.DeliveryDelayed.class)).isNotEmpty();
    }

    @Test
    void poisonMessageGoesToTheDeadLettersAndIsSentAgainIfSomebodySaysSo() throws Exception {
        var cured = new AtomicBoolean();
        started(relay().handle(TopicSettings.of("t").maxAttempts(3).backoff(AT_ONCE), (tx, delivery) -> {
            if (delivery.bodyText().equals("poison") && !cured.get()) {
                throw new IllegalStateException("indigestible");
            }
            insert(tx, delivery.bodyText());
        }));
        stage("t", "a", "poison", "b");
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactlyInAnyOrder("a", "b");
        assertThat(dead()).singleElement().satisfies(letter -> {
            assertThat(letter.cause()).isEqualTo(Cause.EXHAUSTED);
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.reason()).isEqualTo("IllegalStateException: indigestible");
        });
        await().untilAsserted(() ->
                assertThat(events(RefrainEvent.DeadLettered.class)).hasSize(1));

        cured.set(true);
        assertThat(outbox.resendAll("t", Cause.EXHAUSTED, "ann", "cured")).isEqualTo(1);
        await().until(() -> done().contains("poison"));
        assertThat(dead()).isEmpty();
        assertThat(store.listAuditTrail(1).getFirst().who()).isEqualTo("ann");
    }

    @Test
    void handlerMayRefuseForGoodOrPutOffWithoutCounting() throws Exception {
        var putOffs = new AtomicInteger();
        started(relay().handle(TopicSettings.of("t").maxAttempts(2).backoff(AT_ONCE), (tx, delivery) -> {
            if (delivery.bodyText().equals("wrong")) {
                throw DeliveryRefusedException.permanent("no such order");
            }
            if (putOffs.incrementAndGet() < 5) {
                throw new RetryLaterException("not yet", Duration.ofMillis(1));
            }
            insert(tx, delivery.bodyText() + delivery.attempt());
        }));
        stage("t", "wrong", "later");
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactly("later1");
        assertThat(dead())
                .singleElement()
                .satisfies(letter -> assertThat(letter.cause()).isEqualTo(Cause.REFUSED));
    }

    @Test
    void inOrderMeansInOrderAlsoWhenOneFailsOrDies() throws Exception {
        var failed = new AtomicInteger();
        for (int i = 0; i < 30; i++) {
            stage(
                    OutboxMessage.of("t", "a" + i).orderedBy("a"),
                    OutboxMessage.of("t", "b" + i).orderedBy("b"));
        }
        var ordered = TopicSettings.of("t")
                .maxAttempts(8)
                .backoff(new DeliveryBackoff(Duration.ofMillis(5), Duration.ofMillis(5)));
        for (int i = 0; i < 2; i++) {
            started(relay().pollInterval(Duration.ofMillis(20)).handle(ordered, (tx, delivery) -> {
                boolean fails = delivery.bodyText().equals("a7") && failed.incrementAndGet() < 6;
                if (fails || delivery.bodyText().equals("b11")) {
                    throw new IllegalStateException("now and then, and always");
                }
                insert(tx, delivery.bodyText());
            }));
        }
        await().until(() -> waiting("t") == 0);
        assertThat(done().stream().filter(what -> what.startsWith("a")))
                .containsExactlyElementsOf(
                        IntStream.range(0, 30).mapToObj(i -> "a" + i).toList());
        assertThat(done().stream().filter(what -> what.startsWith("b")))
                .containsExactlyElementsOf(IntStream.range(0, 30)
                        .filter(i -> i != 11)
                        .mapToObj(i -> "b" + i)
                        .toList());
        assertThat(dead()).hasSize(1);
    }

    /** Whether the first was handled is not known until its lease is over: the others wait for that. */
    @Test
    void inOrderMeansInOrderAlsoWhenACommitIsInDoubt() throws Exception {
        for (int i = 1; i <= 3; i++) {
            stage(OutboxMessage.of("t", "m" + i).orderedBy("k"));
        }
        // So slow that each is handled by itself.
        started(Relay.on(refrain, LostReplyOutbox.first(rows)).handle("t", (tx, delivery) -> {
            insert(tx, delivery.bodyText());
            Thread.sleep(60);
        }));
        await().until(() -> events(RefrainEvent.DeliveryDelayed.class).size() == 2);
        assertThat(done()).isEmpty();

        letPass(LEASE.plusSeconds(1));
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void manyRelaysDoNotDouble() throws Exception {
        int messages = 300;
        for (int i = 0; i < 3; i++) {
            started(relay().handle("t", INSERT));
        }
        for (int i = 0; i < messages / 10; i++) {
            int first = i * 10;
            stage("t", IntStream.range(first, first + 10).mapToObj(m -> "m" + m).toArray(String[]::new));
        }
        await().until(() -> waiting("t") == 0);
        assertThat(done()).hasSize(messages).doesNotHaveDuplicates();
    }

    @Test
    void messageOfAKilledRelayIsHandledAfterItsLease() throws Exception {
        stage("t", "a", "b");
        assertThat(takenByOneThatDies("t")).hasSize(2);
        started(relay().pollInterval(Duration.ofMillis(50)).handle("t", INSERT));
        stage("t", "c");
        await().until(() -> done().equals(List.of("c")));
        letPass(LEASE.plusSeconds(1));
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void messageThatKillsItsRelaysEndsAmongTheDead() throws Exception {
        stage("t", "deadly");
        for (int i = 0; i < 6; i++) {
            assertThat(takenByOneThatDies("t")).hasSize(1);
            letPass(LEASE.plusSeconds(1));
        }
        started(relay().handle(TopicSettings.of("t").maxAttempts(3), INSERT));
        await().until(() -> !dead().isEmpty());
        assertThat(done()).isEmpty();
        assertThat(dead().getFirst().reason()).contains("never settled it");
    }

    @Test
    void handlerThatHangsIsInterruptedAndTriedAgain() throws Exception {
        var hangs = new AtomicInteger();
        started(relay().handle(
                        TopicSettings.of("t").timeout(Duration.ofMillis(300)).backoff(AT_ONCE), (tx, delivery) -> {
                            insert(tx, delivery.bodyText());
                            if (hangs.incrementAndGet() < 3) {
                                new CountDownLatch(1).await();
                            }
                        }));
        stage("t", "a");
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactly("a");
        assertThat(hangs).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void topicThatHangsHoldsUpNoOther() throws Exception {
        var hanging = new CountDownLatch(1);
        started(relay().sendTo("hangs", Downstream.honoursKeysForEver(), delivery -> hanging.await())
                .handle("t", INSERT));
        stage("hangs", "x", "y", "z");
        stage("t", "a");
        await().until(() -> done().equals(List.of("a")));
        hanging.countDown();
        await().until(() -> waiting("hangs") == 0);
    }

    @Test
    void relayThatIsClosedGivesBackWhatItHasNotBegun() throws Exception {
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        stage("t", "a", "b", "c");
        var relay = started(relay().handle(TopicSettings.of("t").maxConcurrent(1), (tx, delivery) -> {
            begun.countDown();
            end.await();
            insert(tx, delivery.bodyText());
        }));
        begun.await();
        var closing = Thread.ofVirtual().start(relay::close);
        await().until(() -> closing.getState() == Thread.State.WAITING);
        end.countDown();
        closing.join();

        started(relay().handle("t", INSERT));
        await().until(() -> waiting("t") == 0);
        assertThat(done()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void deliveredMessageIsKeptForTheConfiguredTime() throws Exception {
        var keeping = started(relay().handle(TopicSettings.of("t").deliveredRetention(Duration.ofDays(1)), INSERT));
        stage("t", "a", "b");
        await().until(() -> waiting("t") == 0);
        keeping.close();
        assertThat(kept()).isEqualTo(2);
        execute("UPDATE refrain_outbox_past SET keep_until = " + database.earlier("keep_until", Duration.ofDays(2))
                + " WHERE id = (SELECT id FROM (SELECT id FROM refrain_outbox_past ORDER BY id LIMIT 1) lowest)");

        // A later version that keeps nothing any more.
        try (var hurried = refrain(new FastChoreEnvironment())) {
            started(Relay.on(hurried, rows).handle("t", INSERT));

            await().until(() -> kept() == 1);
        }
        assertThat(events(RefrainEvent.StoreFailed.class)).isEmpty();
    }

    private long kept() {
        return count("SELECT count(*) FROM refrain_outbox_past");
    }

    /** Has no patience for chores that come round every minute. */
    private static final class FastChoreEnvironment implements ExecutionEnvironment {

        private static final Duration MINUTE = Duration.ofMinutes(1);
        private final ExecutionEnvironment system = ExecutionEnvironment.system();

        @Override
        public long nanoTime() {
            return system.nanoTime();
        }

        @Override
        public void startThread(String name, Runnable body) {
            system.startThread(name, body);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return system.schedule(delay.equals(MINUTE) ? Duration.ofMillis(20) : delay, task);
        }

        @Override
        public UUID newNonce() {
            return system.newNonce();
        }
    }

    @Test
    void atIdleACommitWakesTheRelay() throws Exception {
        var handled = new CountDownLatch(1);
        started(relay().pollInterval(Duration.ofHours(1)).handle("t", (tx, delivery) -> handled.countDown()));
        // It has looked, found nothing, and looks again in an hour.
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        stage("t", "a");
        assertThat(handled.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
