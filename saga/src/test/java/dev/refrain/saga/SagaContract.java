package dev.refrain.saga;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.flow.FlowRequest;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.saga.SagaResult.Compensated;
import dev.refrain.saga.SagaResult.Completed;
import dev.refrain.saga.SagaResult.Stuck;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordState;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A saga happens wholly or is undone wholly, on each database, whatever fails and whoever dies. */
abstract class SagaContract extends OrderSagaFixture {

    @Test
    void everyStepHappensOnceAndItsResultsAreReplayed() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(place(placing(), "k")).isInstanceOfSatisfying(Completed.class, done -> {
                assertThat(done.result("charge", String.class)).isEqualTo("nr-1");
                assertThat(done.result("ship", String.class)).isEqualTo("nr-1");
            });
        }
        standing(1);
        assertThat(bank.sent).hasSize(1);
        assertThat(bank.sent).isNotEqualTo(carrier.sent);
    }

    @Test
    void orderOutOfStockIsNeitherChargedNorShipped() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(sagas.runForResult(placing(), "k", new Order("unicorn", 1)))
                    .isEqualTo(new Compensated(new StepFailure("reserve", "out of stock", false), List.of(), Map.of()));
        }
        standing(0);
        assertThat(bank.sent).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"reserve,''", "charge,reserve", "ship,charge reserve"})
    void stepThatFailsForGoodIsNotTriedAgainAndTheOthersAreUndoneInReverse(String step, String undone)
            throws Exception {
        var tries = new ArrayList<String>();
        incidents.put(step + ".before", () -> {
            tries.add(step);
            throw new StepFailedException("no");
        });

        assertThat(place(placing(), "k")).isEqualTo(compensated(step, "no", false, undone));
        incidents.clear();
        assertThat(place(placing(), "k")).isEqualTo(compensated(step, "no", false, undone));
        assertThat(tries).hasSize(1);
        standing(0);
    }

    @ParameterizedTest
    @CsvSource({"charge,before", "charge,after", "ship,before"})
    void callThatMayHaveHappenedIsUndoneWithTheOthers(String step, String when) throws Exception {
        always(step + "." + when, "line is dead");

        var result = place(placing(), "k");

        String undone = step.equals("ship") ? "ship charge reserve" : "charge reserve";
        assertThat(result).isEqualTo(compensated(step, "java.lang.IllegalStateException: line is dead", true, undone));
        standing(0);
    }

    @Test
    void lostReplyIsAskedForBeforeAnythingIsUndone() throws Exception {
        always("ship.after", "line is dead");

        assertThat(place(placing(), "k")).isInstanceOf(Completed.class);
        standing(1);
        assertThat(carrier.sent).hasSize(1);
    }

    @Test
    void stepThatSucceedsOnRetryIsNoFailure() throws Exception {
        for (String place : List.of("reserve.before", "reserve.after", "charge.before", "ship.before")) {
            once(place, () -> {
                throw new IllegalStateException("for a moment");
            });
        }
        incidents.remove("reserve.after");

        assertThat(place(placing(), "k")).isInstanceOf(Completed.class);
        standing(1);
    }

    @Test
    void blindCallIsNeverSentTwiceAndIsUndoneIfItsEndIsNotKnown() throws Exception {
        var blind = building(Downstream.notRetryable()).build();
        once("charge.after", () -> {
            throw new SimulatedCrash();
        });
        assertThatThrownBy(() -> place(blind, "crash")).isInstanceOf(SimulatedCrash.class);
        once("charge.after", () -> {
            throw new IllegalStateException("line is dead");
        });
        assertThat(place(blind, "line")).isInstanceOf(Compensated.class);

        assertThat(place(blind, "crash")).isInstanceOfSatisfying(Compensated.class, end -> {
            assertThat(end.compensatedSteps()).containsExactly("charge", "reserve");
            assertThat(end.failure().mayHaveHappened()).isTrue();
        });
        standing(0);
        assertThat(bank.sent).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void crashAnywhereCostsADelay() throws Exception {
        var saga = placing();
        var places = List.of(
                "reserve.before", "reserve.after", "charge.before", "charge.after", "ship.before", "ship.after");
        crashAt(saga, places);

        flows.startCompleter(QUICK, List.of(saga.asFlow()));

        await().untilAsserted(() -> {
            for (String place : places) {
                assertThat(place(saga, place)).isInstanceOf(Completed.class);
            }
        });
        standing(places.size());
    }

    @Test
    void crashAnywhereOfUndoingCostsADelay() throws Exception {
        var saga = placing();
        incidents.put("ship.before", () -> {
            throw new StepFailedException("address unknown");
        });
        var places = List.of(
                "reserve.after", "charge.after", "refund.before", "refund.after", "putback.before", "putback.after");
        crashAt(saga, places);

        flows.startCompleter(QUICK, List.of(saga.asFlow()));

        await().untilAsserted(() -> {
            for (String place : places) {
                assertThat(place(saga, place))
                        .isEqualTo(compensated("ship", "address unknown", false, "charge reserve"));
            }
        });
        standing(0);
        assertThat(carrier.sent).isEmpty();
    }

    private void crashAt(Saga<Order, Connection> saga, List<String> places) {
        for (String place : places) {
            once(place, () -> {
                throw new SimulatedCrash();
            });
            assertThatThrownBy(() -> place(saga, place)).isInstanceOf(SimulatedCrash.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refund.before", "refund.after"})
    void compensationThatFailsForGoodWaitsForAPersonWhileTheOthersRun(String where) throws Exception {
        var saga = placing();
        incidents.put("ship.before", () -> {
            throw new StepFailedException("address unknown");
        });
        always(where, "account closed");

        var stuck = new Stuck(
                new StepFailure("ship", "address unknown", false),
                List.of("reserve"),
                Map.of("charge", "java.lang.IllegalStateException: account closed"));
        assertThat(place(saga, "k")).isEqualTo(stuck);
        assertThat(place(saga, "k")).isEqualTo(stuck);
        assertThat(count("count(*) FROM reserved")).isZero();
        var listed = sagas.stuck(saga, 10);
        assertThat(listed).singleElement().satisfies(one -> {
            assertThat(one.result()).isEqualTo(stuck);
            assertThat(one.identity().key()).isEqualTo("k");
        });
        assertThat(refrain.admin().listAttention(10))
                .singleElement()
                .satisfies(item -> assertThat(item.reason())
                        .contains("failed at step ship", "[charge]", "IllegalStateException")
                        .doesNotContain("address unknown", "account closed"));

        assertThat(sagas.retry(listed.getFirst(), "ann", "perhaps it works now"))
                .isTrue();
        assertThat(place(saga, "k")).isEqualTo(stuck);
        assertThat(sagas.retry(listed.getFirst(), "ann", "looked at before")).isFalse();
        incidents.remove(where);
        assertThat(sagas.retry(sagas.stuck(saga, 10).getFirst(), "ann", "the bank opened it again"))
                .isTrue();

        assertThat(place(saga, "k")).isEqualTo(compensated("ship", "address unknown", false, "reserve charge"));
        standing(0);
        assertThat(refundKeys).hasSizeGreaterThan(3).containsOnly(refundKeys.getFirst());
        assertThat(refundKeys).doesNotContainAnyElementsOf(bank.sent);
        assertThat(sagas.stuck(saga, 10)).isEmpty();
        assertThat(refrain.admin().listAuditTrail(10))
                .extracting(AuditEntry::who, AuditEntry::why)
                .contains(tuple("ann", "the bank opened it again"));
    }

    /** It was stuck for more than the days that a saga may take. */
    @Test
    void compensationRetriedHoweverLateUndoesTheStep() throws Exception {
        var saga = placing();
        incidents.put("ship.before", () -> {
            throw new StepFailedException("address unknown");
        });
        always("refund.before", "account closed");
        place(saga, "k");
        incidents.clear();
        endRetentions();

        assertThat(sagas.retry(sagas.stuck(saga, 10).getFirst(), "ann", "the bank opened it again"))
                .isTrue();
        endRetentions();

        assertThat(place(saga, "k")).isEqualTo(compensated("ship", "address unknown", false, "reserve charge"));
        standing(0);
    }

    @Test
    void compensationThatCannotSucceedMayBeAbandoned() throws Exception {
        var saga = placing();
        always("ship.before", "address unknown");
        always("refund.before", "account closed");
        always("cancel.before", "carrier closed");
        place(saga, "k");

        var listed = sagas.stuck(saga, 10).getFirst();
        assertThat(listed.result().failedCompensations()).containsOnlyKeys("ship", "charge");
        endRetentions();
        assertThat(sagas.abandonCompensation(listed, "ann", "paid out by hand")).isTrue();
        assertThat(refrain.admin().find(listed.identity()).orElseThrow().remainingLife())
                .as("for ever")
                .isEmpty();

        assertThat(place(saga, "k")).isInstanceOfSatisfying(Compensated.class, end -> {
            assertThat(end.compensatedSteps()).containsExactly("reserve");
            assertThat(end.abandonedCompensations()).containsOnlyKeys("ship", "charge");
        });
        assertThat(sagas.abandonCompensation(listed, "ann", "again")).isFalse();
    }

    @Test
    void sameIdForAnotherRequestIsRefused() throws Exception {
        place(placing(), "k");

        assertThat(sagas.runForResult(
                        placing(), FlowRequest.of(ClientKey.scope("shop").key("k"), new Order("book", 1))))
                .isInstanceOf(SagaResult.Mismatch.class);
        standing(1);
    }

    @Test
    void twinsMakeOneOrder() throws Exception {
        var saga = placing();
        var results = new ArrayList<Future<SagaResult>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 12; i++) {
                results.add(threads.submit(() -> place(saga, "k")));
            }
        }
        for (var result : results) {
            assertThat(result.get()).isInstanceOfAny(Completed.class, SagaResult.Unfinished.class);
        }
        assertThat(place(saga, "k")).isInstanceOf(Completed.class);
        standing(1);
    }

    @Test
    void deployUndoesNothing() throws Exception {
        var saga = placing();
        var there = new CountDownLatch(1);
        once("charge.before", () -> {
            there.countDown();
            new CountDownLatch(1).await();
        });
        var leaving = instance();
        var run = new FutureTask<>(() -> SagaRunner.on(leaving)
                .runForResult(saga, FlowRequest.of(ClientKey.scope("shop").key("k"), new Order("book", 700)), LEASE));
        Thread.ofVirtual().start(run);
        there.await();
        leaving.refrain().close(Duration.ofMillis(10));
        assertThatThrownBy(run::get).hasRootCauseInstanceOf(InterruptedException.class);

        assertThat(place(saga, "k")).isInstanceOf(Completed.class);
        standing(1);
        assertThat(bank.takenBack).isEmpty();
    }

    @Test
    void overdueSagaIsListedAndReported() throws Exception {
        var saga = building(Downstream.honoursKeys(Duration.ofHours(24)))
                .overdueAfter(Duration.ofMillis(1))
                .build();
        crashAt(saga, List.of("charge.after"));
        place(saga, "done");

        assertThat(sagas.overdue(saga, 10)).singleElement().satisfies(one -> {
            assertThat(one.identity().key()).isEqualTo("charge.after");
            assertThat(one.recoveryPoint()).contains(RecoveryPoint.withCallAnnounced("charge"));
            assertThat(one.state()).isEqualTo(RecordState.RELEASED);
            assertThat(one.age()).isPositive();
        });
        assertThat(sagas.overdue(placing(), 10)).isEmpty();
        sagas.startOverdueMonitor(SOON, List.of(saga));
        await().untilAsserted(() -> assertThat(events)
                .anySatisfy(event -> assertThat(event).isInstanceOfSatisfying(RefrainEvent.Overdue.class, overdue -> {
                    assertThat(overdue.operation()).isEqualTo("order.place");
                    assertThat(overdue.count()).isEqualTo(1);
                })));
    }

    @Test
    void jobIsPutIntoItsQueueOnceAndWaitedFor() throws Exception {
        var saga = Saga.of("order.print", Order.class)
                .job(
                        "print",
                        (tx, at) -> execute(tx, "INSERT INTO jobs VALUES (?, NULL)", at.key()),
                        (tx, at) -> result(tx, at.key()),
                        (tx, at) -> execute(tx, "DELETE FROM jobs WHERE id = ?", at.stepKey()))
                .step("close", (tx, at) -> {
                    at("close.before");
                    return at.result("print", String.class);
                })
                .build();
        for (String id : List.of("good", "bad", "undone")) {
            assertThat(place(saga, id)).isInstanceOf(SagaResult.Unfinished.class);
            assertThat(place(saga, id)).isInstanceOf(SagaResult.Unfinished.class);
            assertThat(count("count(*) FROM jobs WHERE result IS NULL")).isEqualTo(1);
            finish(id.equals("bad") ? "jammed" : "paper");
            incidents.clear();
            if (id.equals("undone")) {
                incidents.put("close.before", () -> {
                    throw new StepFailedException("closed");
                });
            }
            var result = place(saga, id);
            switch (id) {
                case "good" -> assertThat(result).isInstanceOf(Completed.class);
                case "bad" -> assertThat(result).isEqualTo(compensated("print", "jammed", false, ""));
                default -> assertThat(result).isEqualTo(compensated("close", "closed", false, "print"));
            }
        }
        assertThat(count("count(*) FROM jobs")).isEqualTo(2);
    }

    @Test
    void jobThatRunsOnceForItsKeyIsAStep() throws Exception {
        var runs = new AtomicInteger();
        var label = KeyedJob.transactional("label", Order.class, String.class, (tx, order) -> {
            runs.incrementAndGet();
            return "label for a " + order.article();
        });
        var saga = Saga.of("order.label", Order.class)
                .job("label", jobs(), label, SagaStepContext::request, (tx, at) -> {})
                .build();
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Unfinished.class);

        try (var relay = jobs().registerOn(Relay.on(refrain, outbox()), label).start()) {
            await().untilAsserted(() -> assertThat(place(saga, "k"))
                    .isInstanceOfSatisfying(
                            Completed.class,
                            done -> assertThat(done.result("label", String.class))
                                    .isEqualTo("label for a book")));
        }
        assertThat(runs).hasValue(1);
    }

    /** Its failure is kept, but not what became of its call: the reply is lost. */
    @Test
    void jobThatFailedAfterItsCallMayHaveHappenedAndIsUndone() throws Exception {
        var runs = new AtomicInteger();
        var printing = KeyedJob.leased("print", Order.class, String.class, LeaseExpiryPolicy.HOLD, (claim, order) -> {
            runs.incrementAndGet();
            throw new IOException("the printer's reply is lost");
        });
        var saga = Saga.of("order.print", Order.class)
                .step("reserve", (tx, at) -> "reserved", (tx, at) -> {})
                .job(
                        "print",
                        jobs(),
                        printing,
                        SagaStepContext::request,
                        (tx, at) -> assertThat(at.stepHappened()).isFalse())
                .build();
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Unfinished.class);

        try (var relay =
                jobs().registerOn(Relay.on(refrain, outbox()), printing).start()) {
            await().untilAsserted(() -> assertThat(place(saga, "k"))
                    .isEqualTo(compensated("print", "the printer's reply is lost", true, "print reserve")));
        }
        assertThat(runs).hasValue(1);
    }

    /** Its transaction is rolled back each time, until its message is a dead letter. */
    @Test
    void stepWhoseJobIsADeadLetterFailedAndItsJobNeverRunsAgain() throws Exception {
        var mended = new AtomicBoolean();
        var runs = new AtomicInteger();
        var label = KeyedJob.transactional("label", Order.class, String.class, (tx, order) -> {
            runs.incrementAndGet();
            if (!mended.get()) {
                throw new IOException("no labels left");
            }
            return "label";
        });
        var saga = Saga.of("order.label", Order.class)
                .step("reserve", this::reserve, this::putBack)
                .job("label", jobs(), label, SagaStepContext::request, (tx, at) -> {
                    throw new AssertionError("it did not happen");
                })
                .build();
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Unfinished.class);
        var topic = TopicSettings.of(KeyedJobQueue.topic(label)).maxAttempts(1);

        try (var relay =
                jobs().registerOn(Relay.on(refrain, outbox()), label, topic).start()) {
            await().untilAsserted(() -> assertThat(place(saga, "k")).isInstanceOf(SagaResult.Compensated.class));
            assertThat(((SagaResult.Compensated) place(saga, "k")).failure().reason())
                    .contains("no labels left");
            assertThat(count("count(*) FROM reserved")).isZero();

            // A person who resends it later does not have it run for a saga that was undone.
            mended.set(true);
            int before = runs.get();
            var letter = outbox().deadLetters(null, 10).getFirst();
            Outbox.on(refrain, outbox()).resend(letter.id(), "ann", "there are labels now");
            await().until(() -> outbox().backlog(topic.name(), 10).waiting() == 0);
            assertThat(runs).hasValue(before);
            assertThat(outbox().deadLetters(null, 10)).isEmpty();
        }
    }

    @Test
    void stepWhoseJobIsUnknownIsUndoneOnceAPersonSaysSo() throws Exception {
        var printing = KeyedJob.leased("print", Order.class, String.class, LeaseExpiryPolicy.HOLD, (claim, order) -> {
            throw new EffectUnknownException("The printer did not answer.", null);
        });
        var saga = Saga.of("order.print", Order.class)
                .step("reserve", this::reserve, this::putBack)
                .job("print", jobs(), printing, SagaStepContext::request, (tx, at) -> {})
                .build();
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Unfinished.class);
        try (var relay =
                jobs().registerOn(Relay.on(refrain, outbox()), printing).start()) {
            await().until(() -> !refrain.admin().listAttention(10).isEmpty());
        }
        assertThat(place(saga, "k")).isInstanceOf(SagaResult.Unfinished.class);

        assertThat(jobs().resolveAsFailed(refrain.admin().listAttention(10).getFirst(), "ann", "nothing was printed"))
                .isTrue();

        assertThat(place(saga, "k")).isEqualTo(compensated("print", "nothing was printed", true, "print reserve"));
        assertThat(count("count(*) FROM reserved")).isZero();
    }

    private static Optional<String> result(Connection tx, String job) throws Exception {
        try (var statement = tx.prepareStatement("SELECT result FROM jobs WHERE id = ?")) {
            statement.setString(1, job);
            var rows = statement.executeQuery();
            rows.next();
            String result = rows.getString(1);
            if ("jammed".equals(result)) {
                throw new StepFailedException(result);
            }
            return Optional.ofNullable(result);
        }
    }

    private static Compensated compensated(String step, String why, boolean mayHaveHappened, String undone) {
        return new Compensated(
                new StepFailure(step, why, mayHaveHappened),
                undone.isEmpty() ? List.of() : List.of(undone.split(" ")),
                Map.of());
    }

    private void finish(String result) throws Exception {
        try (var connection = source().getConnection()) {
            execute(connection, "UPDATE jobs SET result = ? WHERE result IS NULL", result);
        }
    }
}
