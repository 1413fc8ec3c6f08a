package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Downstream;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relays on a machine that is too slow for their leases: no message becomes a dead letter because of that. */
class SlowRelayTest extends RelayFixture {

    @TempDir
    private Path folder;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(folder);
    }

    @Test
    void settlementAfterTheLeaseHoldsAsLongAsNoOtherRelayHasTheMessage() throws Exception {
        stage("t", "a");
        var topic = TopicSettings.of("t");
        var settlements =
                new SettlementFactory(topic, refrain.environment(), SettlementFactory.LostLease.HANDLED_NOTHING);
        var writer = new SettlementWriter(topic, rows, refrain.environment(), events::add);
        for (int i = 0; i < 3; i++) {
            var taken = takenByOneThatDies("t").getFirst();
            letPass(LEASE.plusSeconds(1));
            long leaseEnd = refrain.environment().nanoTime() - 1;
            writer.add(new PendingSettlement(taken, settlements.notAttempted(taken), leaseEnd));
            writer.settle();
        }

        assertThat(takenByOneThatDies("t").getFirst().attempts())
                .as("what was not attempted does not count")
                .isEqualTo(1);
    }

    @Test
    void relayThatIsTooSlowForItsLeaseLeasesFewerMessages() throws Exception {
        var dispatcher = new HandlerDispatcher<>(TopicSettings.of("t"), rows, (tx, delivery) -> {}, refrain);
        int before = dispatcher.rowsToLease(1);
        var late = new LateCallback();
        dispatcher.deliver(List.of(), late);
        dispatcher.deliver(List.of(), late);
        assertThat(dispatcher.rowsToLease(1)).isEqualTo(before / 4);
        assertThat(dispatcher.maxRowsPerLane()).isEqualTo(before / 4);
        for (int i = 0; i < 20; i++) {
            dispatcher.deliver(List.of(), late);
        }
        assertThat(dispatcher.rowsToLease(1)).isEqualTo(1);

        late.leaseIsOver = false;
        for (int i = 0; i < 20; i++) {
            dispatcher.deliver(List.of(), late);
        }
        assertThat(dispatcher.rowsToLease(1)).isEqualTo(before);
    }

    @Test
    void relayDoesNotSpinWhileItHasRoomForTooFewDeliveriesToPoll() throws Exception {
        var clock = new ReadsCountingEnvironment();
        var arrived = new CountDownLatch(3);
        var goOn = new CountDownLatch(1);
        stage("t", "a", "b", "c");
        started(Relay.on(refrain(clock), rows)
                .sendTo(
                        TopicSettings.of("t").maxConcurrent(4),
                        Downstream.honoursKeys(Duration.ofHours(24)),
                        delivery -> {
                            arrived.countDown();
                            goOn.await();
                        }));
        try {
            assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
            long before = clock.reads.get();
            clock.sleep(Duration.ofMillis(500));

            assertThat(clock.reads.get() - before)
                    .as("looks at the clock in half a second")
                    .isLessThan(5_000);
        } finally {
            goOn.countDown();
        }
    }

    /** Counts how often the clock is read. */
    private static final class ReadsCountingEnvironment implements ExecutionEnvironment {

        private final ExecutionEnvironment system = ExecutionEnvironment.system();
        private final AtomicLong reads = new AtomicLong();

        @Override
        public long nanoTime() {
            reads.incrementAndGet();
            return system.nanoTime();
        }

        @Override
        public void startThread(String name, Runnable body) {
            system.startThread(name, body);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return system.schedule(delay, task);
        }

        @Override
        public UUID newNonce() {
            return system.newNonce();
        }
    }

    @Test
    void messageBehindOneThatHangsItsTargetIsSentAndNoDeadLetter() throws Exception {
        stage(ordered("hangs"), ordered("b"), ordered("c"));
        var topic = TopicSettings.of("t").lease(LEASE).maxAttempts(3);
        var sent = new CopyOnWriteArrayList<String>();
        var dispatcher = new TargetDispatcher(
                topic,
                Downstream.honoursKeys(Duration.ofHours(24)),
                delivery -> {
                    if (delivery.bodyText().equals("hangs")) {
                        throw new RelayLost();
                    }
                    sent.add(delivery.bodyText());
                },
                refrain);

        runRelays(topic, dispatcher, 20);

        assertThat(sent).containsExactly("b", "c");
        assertThat(deadBodies()).containsExactly("hangs");
    }

    @Test
    void messageBehindOneThatHangsItsHandlerIsHandledAndNoDeadLetter() throws Exception {
        stage(ordered("hangs"), ordered("b"), ordered("c"));
        stage("t", "d", "hangs too", "e");
        var tries = new AtomicInteger();

        runRelays(TopicSettings.of("t").lease(LEASE).maxAttempts(3), hangingHandler(tries), 40);

        assertThat(done()).containsExactlyInAnyOrder("b", "c", "d", "e");
        assertThat(done().indexOf("b")).isLessThan(done().indexOf("c"));
        assertThat(deadBodies()).containsExactlyInAnyOrder("hangs", "hangs too");
        assertThat(tries)
                .as("each was tried as often as it may be, with nothing else to lose")
                .hasValueGreaterThanOrEqualTo(2 * 3);
    }

    @Test
    void messageThatWasLostOftenIsNotLostWithTheOneInFrontOfIt() throws Exception {
        stage("t", "hangs");
        execute("UPDATE refrain_outbox SET due_at = due_at + 100000000");
        stage("t", "b");
        for (int i = 0; i < 3; i++) {
            assertThat(takenByOneThatDies("t")).hasSize(1);
            letPass(LEASE.plusSeconds(1));
        }
        execute("UPDATE refrain_outbox SET due_at = staged_at");

        runRelays(TopicSettings.of("t").lease(LEASE).maxAttempts(1), hangingHandler(new AtomicInteger()), 20);

        assertThat(done()).containsExactly("b");
        assertThat(deadBodies()).containsExactly("hangs");
    }

    @Test
    void leaseThatWasLostIsNoAttemptOfAHandler() throws Exception {
        stage("t", "fails");
        for (int i = 0; i < 2; i++) {
            assertThat(takenByOneThatDies("t")).hasSize(1);
            letPass(LEASE.plusSeconds(1));
        }
        var tries = new AtomicInteger();
        started(relay().handle(TopicSettings.of("t").maxAttempts(3).backoff(AT_ONCE), (tx, delivery) -> {
            tries.incrementAndGet();
            throw new IllegalStateException("fails");
        }));

        await().until(() -> !dead().isEmpty());
        assertThat(tries).hasValue(3);
    }

    private static OutboxMessage ordered(String body) {
        return OutboxMessage.of("t", body).orderedBy("k");
    }

    private List<String> deadBodies() {
        return dead().stream()
                .map(letter -> new String(letter.payload().bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    private OutboxHandler<Connection> hangingHandler(AtomicInteger tries) {
        return (tx, delivery) -> {
            if (delivery.bodyText().startsWith("hangs")) {
                tries.incrementAndGet();
                throw new RelayLost();
            }
            insert(tx, delivery.bodyText());
        };
    }

    private void runRelays(TopicSettings topic, OutboxHandler<Connection> handler, int rounds) {
        runRelays(topic, new HandlerDispatcher<>(topic, rows, handler, refrain), rounds);
    }

    /** One relay after the other leases what a relay would, and is lost with what it has when a message hangs it. Others are fast meanwhile. */
    private void runRelays(TopicSettings topic, MessageDispatcher dispatcher, int rounds) {
        for (int i = 0; i < rounds && waiting("t") > 0; i++) {
            var taken = rows.leaseMessages(new MessageLeaseRequest(
                    "t", LEASE, dispatcher.rowsToLease(4), dispatcher.maxRowsPerLane(), Long.MAX_VALUE));
            var writer = new SettlementWriter(topic, rows, refrain.environment(), events::add);
            for (var batch : dispatcher.batches(taken, 1)) {
                try {
                    dispatcher.deliver(batch, new WritingCallback(writer));
                } catch (RelayLost lost) {
                    break;
                }
            }
            writer.settle();
            var inTime = new LateCallback();
            inTime.leaseIsOver = false;
            for (int other = 0; other < 20; other++) {
                dispatcher.deliver(List.of(), inTime);
            }
            letPass(LEASE.plusSeconds(1));
        }
    }

    /** End of a relay in the middle of a delivery. */
    private static final class RelayLost extends Error {

        private static final long serialVersionUID = 1;
    }

    /** Callback of a batch in time, which writes what it is told. */
    private record WritingCallback(SettlementWriter writer) implements MessageDispatcher.DeliveryCallback {

        @Override
        public boolean mayDeliver() {
            return true;
        }

        @Override
        public void settle(LeasedMessage taken, MessageSettlement settlement) {
            writer.add(new PendingSettlement(taken, settlement, Long.MAX_VALUE));
        }

        @Override
        public void settled(LeasedMessage taken, MessageSettlement settlement) {}

        @Override
        public void reached() {}

        @Override
        public Duration unreachable() {
            return Duration.ZERO;
        }
    }

    /** Callback of a batch whose lease is over. */
    private static final class LateCallback implements MessageDispatcher.DeliveryCallback {

        private boolean leaseIsOver = true;

        @Override
        public boolean mayDeliver() {
            return !leaseIsOver;
        }

        @Override
        public void settle(LeasedMessage taken, MessageSettlement settlement) {}

        @Override
        public void settled(LeasedMessage taken, MessageSettlement settlement) {}

        @Override
        public void reached() {}

        @Override
        public Duration unreachable() {
            return Duration.ZERO;
        }
    }
}
