package dev.refrain.saga;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.Retention;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.saga.SagaResult.Compensated;
import dev.refrain.saga.SagaResult.Completed;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person has a saga compensated that waits in ATTENTION at a step, on each database. */
abstract class WaitingSagaContract extends OrderSagaFixture {

    private static final CompleterSettings ONE_ATTEMPT =
            new CompleterSettings(SOON, Duration.ZERO, Duration.ofMillis(1), 1, 4);

    final AtomicBoolean broken = new AtomicBoolean();
    final AtomicInteger runs = new AtomicInteger();
    final AtomicBoolean labelHappened = new AtomicBoolean();

    final KeyedJob<Order, String, Connection> label =
            KeyedJob.transactional("label", Order.class, String.class, (tx, order) -> {
                runs.incrementAndGet();
                if (broken.get()) {
                    throw new IOException("no labels left");
                }
                return "label";
            });

    private Saga<Order, Connection> labelling() {
        return Saga.of("order.label", Order.class)
                .step("reserve", this::reserve, this::putBack)
                .job("label", jobs(), label, SagaStepContext::request, (tx, at) -> labelHappened.set(at.stepHappened()))
                .build();
    }

    @Test
    void sagaWhoseJobsDeadLetterWasDiscardedIsCompensated() throws Exception {
        var saga = labelling();
        broken.set(true);
        begin(saga);
        var topic = TopicSettings.of(KeyedJobQueue.topic(label)).maxAttempts(1);
        try (var relay =
                jobs().registerOn(Relay.on(refrain, outbox()), label, topic).start()) {
            await().until(() -> !outbox().deadLetters(null, 10).isEmpty());
        }
        var letter = outbox().deadLetters(null, 10).getFirst();
        assertThat(Outbox.on(refrain, outbox()).discard(letter.id(), "bob", "noise"))
                .isTrue();

        compensate(saga);

        assertUndone(saga, "label", true, "label", "reserve");
        assertThat(refrain.admin().listAuditTrail(1))
                .extracting(AuditEntry::action, AuditEntry::who, AuditEntry::why)
                .containsExactly(org.assertj.core.api.Assertions.tuple("resolve: resumed", "ann", "lost"));
    }

    @Test
    void sagaWhoseJobsRecordExpiredIsCompensated() throws Exception {
        var saga = labelling();
        begin(saga);
        runJobs();
        assertThat(runs).hasValue(1);
        endRetentions();

        compensate(saga);

        assertUndone(saga, "label", true, "label", "reserve");
    }

    @Test
    void jobThatStillWaitsWhenItsSagaIsCompensatedNeverRuns() throws Exception {
        var saga = labelling();
        begin(saga);

        compensate(saga);
        runJobs();

        assertThat(runs).hasValue(0);
        assertUndone(saga, "label", true, "label", "reserve");
        runJobs();
        assertThat(runs).hasValue(0);
    }

    @Test
    void jobThatIsDoneByThenIsCompensatedWithItsResult() throws Exception {
        var saga = labelling();
        begin(saga);
        var waiting = attention(saga);
        runJobs();
        assertThat(runs).hasValue(1);

        assertThat(sagas.compensate(saga, waiting, "ann", "lost")).isTrue();

        assertUndone(saga, "label", false, "label", "reserve");
        assertThat(labelHappened).isTrue();
    }

    @Test
    void jobThatWaitsForAPersonItselfIsResolvedWithItsSaga() throws Exception {
        var printing = KeyedJob.leased("print", Order.class, String.class, LeaseExpiryPolicy.HOLD, (claim, order) -> {
            throw new EffectUnknownException("The printer did not answer.", null);
        });
        var saga = Saga.of("order.print", Order.class)
                .step("reserve", this::reserve, this::putBack)
                .job("print", jobs(), printing, SagaStepContext::request, (tx, at) -> {})
                .build();
        begin(saga);
        try (var relay =
                jobs().registerOn(Relay.on(refrain, outbox()), printing).start()) {
            await().until(() -> !refrain.admin().listAttention(10).isEmpty());
        }

        compensate(saga);

        var result = (Compensated) place(saga, "k");
        assertThat(result.failure()).isEqualTo(new StepFailure("print", "lost", true));
        assertThat(refrain.admin().listAttention(10)).isEmpty();
        assertThat(count("count(*) FROM reserved")).isZero();
    }

    @Test
    void jobOfAnotherQueueIsLeftToTheCompensation() throws Exception {
        var saga = Saga.of("order.other", Order.class)
                .step("reserve", this::reserve, this::putBack)
                .job(
                        "press",
                        (tx, at) -> execute(tx, "INSERT INTO jobs VALUES (?, NULL)", at.key()),
                        (tx, at) -> Optional.empty(),
                        (tx, at) -> execute(tx, "DELETE FROM jobs WHERE id = ?", at.stepKey()))
                .build();
        begin(saga);
        assertThat(count("count(*) FROM jobs")).isEqualTo(1);

        compensate(saga);

        assertUndone(saga, "press", true, "press", "reserve");
        assertThat(count("count(*) FROM jobs")).isZero();
    }

    @Test
    void callThatWasSentMayHaveHappenedAndStepThatDidNotRunDidNot() throws Exception {
        var called = building(Downstream.honoursKeys(Duration.ofHours(24))).build();
        incidents.put("charge.after", () -> {
            throw new RetryLaterException("the bank is busy", Duration.ofHours(1));
        });
        begin(called);
        compensate(called);
        assertUndone(called, "charge", true, "charge", "reserve");
        standing(0);

        var delayed = Saga.of("order.delayed", Order.class)
                .step("reserve", this::reserve, this::putBack)
                .step("book", (tx, at) -> {
                    throw new RetryLaterException("the books are closed", Duration.ofHours(1));
                })
                .build();
        begin(delayed);
        compensate(delayed);
        assertUndone(delayed, "book", false, "reserve");
    }

    @Test
    void sagaThatChangedOrIsCompensatedAlreadyIsLeftAlone() throws Exception {
        var saga = labelling();
        begin(saga);
        var waiting = attention(saga);
        assertThat(sagas.compensate(saga, waiting, "ann", "lost")).isTrue();
        assertThat(sagas.compensate(saga, waiting, "bob", "lost too")).isFalse();

        var compensating = sagas.find(saga, ClientKey.scope("shop").key("k")).orElseThrow();
        assertThat(compensating.status()).isEqualTo(SagaView.Status.COMPENSATING);
        assertThatThrownBy(() -> sagas.compensate(saga, compensating, "bob", "again"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("COMPENSATING");
        assertThat(jobs().result(
                                label,
                                ClientKey.scope("shop")
                                        .key(compensating.claim().id().keyFor("label"))))
                .isInstanceOf(JobResult.Failed.class);
    }

    /** The completer gave up in the middle: the decisions on stuck sagas are not for it, and it goes on where it stopped. */
    @Test
    void sagaThatWaitsAtACompensationGoesOnWithItOnceReleased() throws Exception {
        var saga = placing();
        incidents.put("ship.before", () -> {
            throw new StepFailedException("address unknown");
        });
        incidents.put("refund.before", () -> {
            throw new RetryLaterException("the bank is busy", Duration.ofHours(1));
        });
        begin(saga);
        var waiting = giveUp(saga);
        assertThat(sagas.stuck(saga, 10)).isEmpty();
        assertThat(sagas.waitingAtStep(saga, 10)).isEmpty();
        assertThat(view(saga).status()).isEqualTo(SagaView.Status.COMPENSATING);
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Attention.class);
        assertThat(count("count(*) FROM reserved")).isEqualTo(1);

        incidents.clear();
        assertThat(refrain.admin().release(waiting.claim(), "ann", "the bank is back"))
                .isTrue();

        assertThat(place(saga, "k"))
                .isEqualTo(new Compensated(
                        new StepFailure("ship", "address unknown", false), List.of("charge", "reserve"), Map.of()));
        standing(0);
        assertThat(bank.sent).hasSize(1);
        assertThat(refundKeys).hasSizeGreaterThan(1).containsOnly(refundKeys.getFirst());
    }

    @Test
    void sagaWhoseVersionIsGoneIsFinishedByThatVersionOnceReleased() throws Exception {
        var one = placing();
        once("charge.after", () -> {
            throw new SimulatedCrash();
        });
        assertThatThrownBy(() -> place(one, "k")).isInstanceOf(SimulatedCrash.class);

        var without = checking().build();
        assertThat(place(without, "k")).isInstanceOf(SagaResult.Attention.class);
        var waiting = refrain.admin().listAttention(10).getFirst();
        assertThat(waiting.reason()).contains("version 1", "olderVersion");
        assertThatThrownBy(() -> sagas.compensate(without, view(without), "ann", "no"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("olderVersion(version 1)");

        var with = checking().olderVersion(one).build();
        assertThat(refrain.admin().release(waiting.claim(), "ann", "version 1 is deployed again"))
                .isTrue();

        assertThat(place(with, "k"))
                .isInstanceOfSatisfying(
                        Completed.class,
                        done -> assertThatThrownBy(() -> done.result("check", String.class))
                                .hasMessageContaining("did not happen"));
        assertThat(place(with, "later"))
                .isInstanceOfSatisfying(
                        Completed.class,
                        done -> assertThat(done.result("check", String.class)).isEqualTo("checked"));
        standing(2);
        assertThat(Set.copyOf(bank.sent)).hasSize(2);
    }

    @Test
    void sagaWhoseVersionIsGoneIsCompensatedByThatVersion() throws Exception {
        var one = placing();
        once("charge.after", () -> {
            throw new SimulatedCrash();
        });
        assertThatThrownBy(() -> place(one, "k")).isInstanceOf(SimulatedCrash.class);
        assertThat(place(checking().build(), "k")).isInstanceOf(SagaResult.Attention.class);

        var with = checking().olderVersion(one).build();
        assertThat(sagas.compensate(with, sagas.waitingAtStep(with, 10).getFirst(), "ann", "lost"))
                .isTrue();

        assertUndone(with, "charge", true, "charge", "reserve");
        standing(0);
    }

    /** The answer is a person's, and no state of a saga: a saga's caller reads no results from it. */
    @ParameterizedTest
    @ValueSource(strings = {"failed", "paid by hand", "{}", "", "\n"})
    void sagaThatAPersonResolvedHasEndedWithoutResults(String body) throws Exception {
        var one = placing();
        once("charge.after", () -> {
            throw new SimulatedCrash();
        });
        assertThatThrownBy(() -> place(one, "k")).isInstanceOf(SimulatedCrash.class);
        var two = checking().build();
        assertThat(place(two, "k")).isInstanceOf(SagaResult.Attention.class);
        var waiting = refrain.admin().listAttention(10).getFirst().claim();

        assertThat(
                        body.equals("failed")
                                ? refrain.admin().resolveAsFailed(waiting, "ann", "nobody wants it")
                                : refrain.admin()
                                        .resolve(
                                                waiting,
                                                Outcome.Answer.of(200, body.getBytes(StandardCharsets.UTF_8)),
                                                Retention.FOREVER,
                                                "ann",
                                                "paid by hand"))
                .isTrue();

        assertThatThrownBy(() -> place(two, "k")).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(view(two).status()).isEqualTo(SagaView.Status.ENDED);
        assertThat(bank.sent).hasSize(1);
    }

    /** Another version of the same saga. */
    private Saga.Builder<Order, Connection> checking() {
        return Saga.of("order.place", Order.class)
                .version(2)
                .step("check", (tx, at) -> "checked")
                .step("reserve", this::reserve, this::putBack)
                .foreignCall(
                        "charge",
                        Downstream.honoursKeys(Duration.ofHours(24)),
                        call -> bank.enter(call.key()),
                        call -> bank.takeBack(call.stepKey()))
                .foreignCall(
                        "ship",
                        Downstream.honoursKeys(Duration.ofHours(24)),
                        call -> carrier.enter(call.key()),
                        call -> carrier.takeBack(call.stepKey()));
    }

    private SagaView view(Saga<Order, Connection> saga) {
        return sagas.find(saga, ClientKey.scope("shop").key("k")).orElseThrow();
    }

    private void begin(Saga<Order, Connection> saga) throws Exception {
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Unfinished.class);
    }

    /** Lets a completer give the saga up, and returns it as a person finds it. */
    private SagaView attention(Saga<Order, Connection> saga) throws Exception {
        giveUp(saga);
        var waiting = sagas.waitingAtStep(saga, 10).getFirst();
        assertThat(waiting.state()).isEqualTo(RecordState.ATTENTION);
        return waiting;
    }

    /** Lets a completer give the saga up. */
    private AttentionItem giveUp(Saga<Order, Connection> saga) throws Exception {
        try (var completer = flows.startCompleter(ONE_ATTEMPT, List.of(saga.asFlow()))) {
            await().untilAsserted(() -> {
                makeDue();
                assertThat(attentionOf(saga)).hasSize(1);
            });
        }
        return attentionOf(saga).getFirst();
    }

    private List<AttentionItem> attentionOf(Saga<Order, Connection> saga) {
        return refrain.admin().listAttention(10).stream()
                .filter(item -> item.identity().namespace().equals(saga.namespace()))
                .toList();
    }

    private void compensate(Saga<Order, Connection> saga) throws Exception {
        assertThat(sagas.compensate(saga, attention(saga), "ann", "lost")).isTrue();
    }

    private void runJobs() throws Exception {
        try (var relay = jobs().registerOn(Relay.on(refrain, outbox()), label).start()) {
            await().until(() -> outbox().backlog(KeyedJobQueue.topic(label), 10).waiting() == 0);
        }
    }

    private void assertUndone(Saga<Order, Connection> saga, String step, boolean mayHaveHappened, String... undone)
            throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(place(saga, "k"))
                    .isEqualTo(new Compensated(
                            new StepFailure(step, "Compensated by ann: lost", mayHaveHappened),
                            List.of(undone),
                            Map.of()));
        }
        assertThat(count("count(*) FROM reserved")).isZero();
    }
}
