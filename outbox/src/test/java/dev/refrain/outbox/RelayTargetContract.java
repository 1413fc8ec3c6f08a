package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Downstream;
import dev.refrain.api.NotSentException;
import dev.refrain.api.RecordId;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a relay promises with targets elsewhere: a delivery whose end is not known is never blind, on each database. */
abstract class RelayTargetContract extends RelayFixture {

    private static final Downstream<MessageDelivery, Object> FOR_A_DAY = Downstream.honoursKeys(Duration.ofHours(24));
    private static final TopicSettings QUICK = TopicSettings.of("t").backoff(AT_ONCE);

    /** Somebody else's system. */
    private final List<String> arrived = new CopyOnWriteArrayList<>();

    private final List<Boolean> again = new CopyOnWriteArrayList<>();

    private void take(MessageDelivery delivery) {
        arrived.add(delivery.key());
        again.add(delivery.maybeDeliveredBefore());
    }

    private Relay relaying(Downstream<MessageDelivery, ?> downstream, OutboxTarget target) {
        return started(relay().pollInterval(Duration.ofMillis(50)).sendTo(QUICK, downstream, target));
    }

    /** Killed between its send and its settlement: the message has arrived, and nobody here knows. */
    private String sentByOneThatDies() throws Exception {
        stage("t", "a");
        var taken = takenByOneThatDies("t").getFirst();
        String key = new RecordId(taken.id()).keyFor("t");
        arrived.add(key);
        return key;
    }

    @Test
    void messageThatMayHaveArrivedIsSentAgainUnderItsKey() throws Exception {
        String key = sentByOneThatDies();
        letPass(LEASE.plusSeconds(1));
        relaying(FOR_A_DAY, this::take);
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).containsExactly(key, key);
        assertThat(again).containsExactly(true);
        assertThat(dead()).isEmpty();
    }

    @Test
    void butNotOnceTheKeyMayBeForgotten() throws Exception {
        sentByOneThatDies();
        letPass(Duration.ofHours(25));
        try (var log = CapturedWarnings.of(SettlementWriter.class)) {
            relaying(FOR_A_DAY, this::take);
            await().until(() -> !log.messages().isEmpty());
            assertThat(arrived).hasSize(1);
            assertThat(dead().getFirst().cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(dead().getFirst().reason()).contains("forgotten its key");
            var id = dead().getFirst().id();
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of message " + id + " of topic t after 2 attempts")
                    .contains("forgotten its key", "refrain deadletters resend " + id);
        }
    }

    @Test
    void norIfTheKeyMayBeForgottenByTheTimeItArrives() throws Exception {
        sentByOneThatDies();
        letPass(Duration.ofHours(24).minusSeconds(20));
        relaying(FOR_A_DAY, this::take);
        await().until(() -> !dead().isEmpty());
        assertThat(arrived).hasSize(1);
        assertThat(dead().getFirst().cause()).isEqualTo(Cause.UNKNOWN);
    }

    @Test
    void howeverOldAMessageIsItIsSentIfItNeverWas() throws Exception {
        stage("t", "a");
        letPass(Duration.ofDays(9));
        relaying(FOR_A_DAY, this::take);
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).hasSize(1);
        assertThat(again).containsExactly(false);
    }

    @Test
    void queryableMessageIsLookedUpBeforeItIsSentAgain() throws Exception {
        String key = sentByOneThatDies();
        letPass(LEASE.plusSeconds(1));
        var failing = new AtomicBoolean(true);
        relaying(
                Downstream.queryable(call -> {
                    if (failing.getAndSet(false)) {
                        throw new IOException("not now");
                    }
                    return arrived.contains(call.key()) ? Optional.of(true) : Optional.empty();
                }),
                this::take);
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).containsExactly(key);

        stage("t", "b");
        await().until(() -> arrived.size() == 2);
    }

    /** A dead letter is sent again because its endpoint is mended. */
    @Test
    void messageThatMayHaveArrivedIsLookedUpAlsoAfterItsAttemptsAreExhausted() throws Exception {
        var lost = new AtomicBoolean(true);
        started(relay().pollInterval(Duration.ofMillis(50))
                .sendTo(
                        QUICK.maxAttempts(1),
                        Downstream.queryable(
                                call -> arrived.contains(call.key()) ? Optional.of(true) : Optional.empty()),
                        delivery -> {
                            take(delivery);
                            if (lost.get()) {
                                throw new IOException("the reply is lost");
                            }
                        }));
        stage("t", "a");
        await().until(() -> dead().size() == 1);
        lost.set(false);
        assertThat(outbox.resendAll("t", Cause.EXHAUSTED, "ann", "the endpoint is mended"))
                .isEqualTo(1);
        await().until(() -> !events(RefrainEvent.Delivered.class).isEmpty());
        assertThat(arrived).hasSize(1);
    }

    /** What its target refused each time never arrived, so also a blind one is told again. */
    @Test
    void exhaustedMessageIsResentOnDemand() throws Exception {
        var busy = new AtomicBoolean(true);
        started(relay().pollInterval(Duration.ofMillis(50))
                .sendTo(QUICK.maxAttempts(2), Downstream.notRetryable(), delivery -> {
                    if (busy.get()) {
                        throw DeliveryRefusedException.temporary("too busy");
                    }
                    take(delivery);
                }));
        stage("t", "a");
        await().until(() -> dead().size() == 1);
        busy.set(false);
        outbox.resendAll("t", Cause.EXHAUSTED, "ann", "there is room again");
        await().until(() -> !events(RefrainEvent.Delivered.class).isEmpty());
        assertThat(again).containsExactly(false);
    }

    /** Whoever asks for it too early is told that it is not there, and sends it a second time. */
    @Test
    void messageInFlightAtCloseIsNotLookedUpBeforeItsTimeout() throws Exception {
        var sent = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var relay = relaying(Downstream.queryable(call -> Optional.empty()), delivery -> {
            sent.countDown();
            never.await();
        });
        stage("t", "a");
        sent.await();
        relay.close(Duration.ofMillis(50));
        await().until(() -> !events(RefrainEvent.DeliveryDelayed.class).isEmpty());
        assertThat(takenByOneThatDies("t")).isEmpty();

        letPass(QUICK.timeout());
        assertThat(takenByOneThatDies("t")).hasSize(1);
    }

    @Test
    void messageNotFoundByLookupIsSent() throws Exception {
        stage("t", "a");
        takenByOneThatDies("t");
        letPass(LEASE.plusSeconds(1));
        relaying(Downstream.queryable(call -> Optional.empty()), this::take);
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).hasSize(1);
    }

    @Test
    void blindTargetIsNeverSentAMessageTwice() throws Exception {
        sentByOneThatDies();
        letPass(LEASE.plusSeconds(1));
        relaying(Downstream.notRetryable(), delivery -> {
            take(delivery);
            throw new IOException("the reply is lost");
        });
        stage("t", "b");
        await().until(() -> dead().size() == 2);
        assertThat(arrived).hasSize(2).doesNotHaveDuplicates();
        assertThat(again).containsExactly(false);
        assertThat(dead()).allSatisfy(letter -> assertThat(letter.cause()).isEqualTo(Cause.UNKNOWN));
        assertThat(waiting("t")).isZero();
    }

    @Test
    void blindTargetIsSentAgainAMessageThatCertainlyDidNotArrive() throws Exception {
        var tries = new AtomicInteger();
        relaying(Downstream.notRetryable(), delivery -> {
            switch (tries.incrementAndGet()) {
                case 1 -> throw new NotSentException("no connection");
                case 2 -> throw DeliveryRefusedException.temporary("too busy");
                default -> take(delivery);
            }
        });
        stage("t", "a");
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).hasSize(1);
        assertThat(again).containsExactly(false);
        assertThat(dead()).isEmpty();
    }

    @Test
    void inOrderToABlindTargetOnlyTheFrontIsAboutToBeSent() throws Exception {
        var sent = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        stage(
                OutboxMessage.of("t", "a").orderedWithinTopic(),
                OutboxMessage.of("t", "b").orderedWithinTopic(),
                OutboxMessage.of("t", "c").orderedWithinTopic());
        relaying(Downstream.notRetryable(), delivery -> {
            sent.countDown();
            end.await();
            arrived.add(delivery.bodyText());
        });
        sent.await();
        assertThat(takenByOneThatDies("t")).isEmpty();
        end.countDown();
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).containsExactly("a", "b", "c");
    }

    @Test
    void inOrderMeansThatTheNextWaitsUntilTheFirstHasArrived() throws Exception {
        var failures = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            stage(OutboxMessage.of("t", "m" + i).orderedBy("k"));
        }
        relaying(FOR_A_DAY, delivery -> {
            if (delivery.bodyText().equals("m4") && failures.incrementAndGet() < 4) {
                throw new IOException("the reply is lost");
            }
            arrived.add(delivery.bodyText());
        });
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    }

    @Test
    void targetThatIsDownForLongCostsNoMessageItsAttempts() throws Exception {
        var down = new AtomicBoolean(true);
        var tries = new AtomicInteger();
        var patient = TopicSettings.of("t")
                .maxAttempts(2)
                .backoff(new DeliveryBackoff(Duration.ofMillis(1), Duration.ofMillis(20)));
        started(relay().pollInterval(Duration.ofMillis(10)).sendTo(patient, FOR_A_DAY, delivery -> {
            if (down.get()) {
                tries.incrementAndGet();
                throw new NotSentException("no connection", new IOException());
            }
            take(delivery);
        }));
        stage("t", "a", "b", "c", "d", "e", "f");
        await().until(() -> tries.get() > 30);
        assertThat(dead()).isEmpty();
        down.set(false);
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).hasSize(6).doesNotHaveDuplicates();
        assertThat(again).containsOnly(false);
        assertThat(events(RefrainEvent.DeliveryDelayed.class)).isNotEmpty();
    }

    @Test
    void deliveryToATargetThatDoesNotAnswerTimesOutAndIsRetried() throws Exception {
        var tries = new AtomicInteger();
        started(relay().sendTo(QUICK.timeout(Duration.ofMillis(200)), FOR_A_DAY, delivery -> {
            take(delivery);
            if (tries.incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
        }));
        stage("t", "a");
        await().until(() -> waiting("t") == 0);
        assertThat(arrived).hasSizeGreaterThan(1).containsOnly(arrived.getFirst());
        assertThat(again).startsWith(false, true);
    }
}
