package dev.refrain.flow;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.DelegatedCall;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.NotSentException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.recover.AttentionLog;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a flow promises, on each database. */
abstract class FlowContract extends OrderFlowFixture {

    @Test
    void runsOnceAndAnswersTheSameForEver() throws Exception {
        var first = flows.runForResult(orders(), request("k"));
        var again = flows.runForResult(orders(), request("k"));

        assertThat(first).isInstanceOf(OperationResult.Ran.class);
        assertThat(again).isInstanceOf(OperationResult.Replayed.class);
        assertThat(body(again)).isEqualTo(body(first)).startsWith("201 {").contains("ch_1");
        oneOfEach();
        assertThat(bank.keys).hasSize(1);
    }

    @Test
    void anotherRequestUnderItsKeyIsRefused() throws Exception {
        flows.runForResult(orders(), request("k"));
        assertThat(flows.runForResult(
                        orders(), FlowRequest.of(ClientKey.scope("shop").key("k"), new OrderRequest("book", 1))))
                .isEqualTo(new OperationResult.Mismatch(recordId()));
    }

    private RecordId recordId() throws Exception {
        var replayed = (OperationResult.Replayed) flows.runForResult(orders(), request("k"));
        return replayed.id();
    }

    @Test
    void retryGoesOnAtTheFirstPhaseThatIsNotDone() throws Exception {
        for (var where : List.of(beforeSend, afterSend, inReceipt)) {
            where.set(() -> {
                where.set(() -> {});
                throw new InjectedFailure();
            });
        }
        for (int stopped = 0; stopped < 3; stopped++) {
            assertThatThrownBy(() -> flows.runForResult(orders(), request("k"))).isInstanceOf(InjectedFailure.class);
        }
        assertThat(body(flows.runForResult(orders(), request("k")))).contains("ch_1");
        oneOfEach();
        assertThat(bank.keys).hasSize(2);
    }

    /** A failure is the outcome of such a route's handlers; a flow is not at its end by that. */
    @Test
    void retryGoesOnAlsoBehindARouteThatKeepsFailures() throws Exception {
        var flow = builder(Downstream.honoursKeys(Duration.ofHours(24)))
                .namespace("http")
                .build();
        inReceipt.set(() -> {
            inReceipt.set(() -> {});
            throw new InjectedFailure();
        });
        assertThatThrownBy(() -> behindARoute(flow, OutcomeRule.EVERYTHING)).isInstanceOf(InjectedFailure.class);
        assertThat(body(behindARoute(flow, OutcomeRule.EVERYTHING))).contains("ch_1");
        oneOfEach();
    }

    /** As an HTTP edge runs it that has read the call. */
    private OperationResult behindARoute(Flow<OrderRequest, Object, Connection> flow, OutcomeRule rule)
            throws Exception {
        var operation = refrain.operation("POST /orders").namespace("http").outcomeRule(rule);
        try (var offered = DelegatedCall.delegate(
                operation, OperationCall.scope("shop").key("k").request("the same bytes"))) {
            return flows.runForCurrentCall(flow, new OrderRequest("book", 700));
        }
    }

    @Test
    void declinedCardIsAnOutcome() throws Exception {
        var dear = FlowRequest.of(ClientKey.scope("shop").key("k"), new OrderRequest("car", 30_000));
        assertThat(body(flows.runForResult(orders(), dear))).isEqualTo("402 declined");
        assertThat(body(flows.runForResult(orders(), dear))).isEqualTo("402 declined");
        assertThat(bank.keys).hasSize(1);
        assertThat(count("orders")).isEqualTo(1);
        assertThat(count("receipts")).isZero();
    }

    @Test
    void callThatCannotBeAskedAboutIsNeverSentTwice() throws Exception {
        bank.honours = false;
        afterSend.set(() -> {
            throw new InjectedFailure();
        });
        var blind = builder(Downstream.notRetryable()).build();

        try (var log = CapturedWarnings.of(AttentionLog.class)) {
            assertThat(flows.runForResult(blind, request("k"))).isInstanceOf(OperationResult.Attention.class);
            assertThat(flows.runForResult(blind, request("k"))).isInstanceOf(OperationResult.Attention.class);
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of " + blind.name() + ", key …, record "
                            + refrain.admin()
                                    .listAttention(1)
                                    .getFirst()
                                    .claim()
                                    .id())
                    .contains("ordered", "refrain keys resolve")
                    .doesNotContain("..");
        }
        assertThat(bank.charges).hasValue(1);
        assertThat(refrain.admin().listAttention(10))
                .singleElement()
                .satisfies(item -> assertThat(item.reason()).contains("ordered"));
    }

    /** A person decides on Monday what waits since Friday. */
    @Test
    void releasedLongAfterItsRetentionItGoesOnWhereItStands() throws Exception {
        beforeSend.set(() -> {
            beforeSend.set(() -> {});
            throw new InjectedFailure();
        });
        var blind = builder(Downstream.notRetryable()).build();
        assertThat(flows.runForResult(blind, request("k"))).isInstanceOf(OperationResult.Attention.class);
        database.endRetentions();

        var waiting = refrain.admin().listAttention(10).getFirst();
        assertThat(refrain.admin().release(waiting.claim(), "ann", "the bank never saw it"))
                .isTrue();
        database.endRetentions();

        assertThat(body(flows.runForResult(blind, request("k")))).contains("ch_1");
        oneOfEach();
    }

    private OperationResult attemptBehind(Operation<?> route, Flow<OrderRequest, Object, Connection> flow)
            throws Exception {
        try (var offered = DelegatedCall.delegate(
                route, OperationCall.scope("shop").key("k").request("the body"))) {
            return flows.runForCurrentCall(flow, new OrderRequest("book", 700));
        }
    }

    @Test
    void behindARouteItIsKeptNoShorterThanTheFlowSays() throws Exception {
        var flow = builder(Downstream.honoursKeys(Duration.ofHours(24)))
                .namespace("http")
                .build();
        var route = refrain.operation("POST /orders").namespace("http");

        assertThat(attemptBehind(route, flow)).isInstanceOf(OperationResult.Ran.class);

        assertThat(refrain.admin()
                        .find(new ScopedKey("shop", "http", "k"))
                        .orElseThrow()
                        .remainingLife()
                        .orElseThrow())
                .isGreaterThan(Duration.ofHours(71));
        assertThatThrownBy(() -> attemptBehind(route.retention(Retention.FOREVER), flow))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ordered forgets keys");
    }

    @Test
    void callThatCertainlyDidNotArriveIsSentAgainEvenToABlindDownstream() throws Exception {
        beforeSend.set(() -> {
            beforeSend.set(() -> {});
            throw new NotSentException("connection refused");
        });
        var blind = builder(Downstream.notRetryable()).build();

        assertThatThrownBy(() -> flows.runForResult(blind, request("k")))
                .isInstanceOf(NotSentException.class)
                .hasMessage("connection refused")
                .hasNoCause();
        assertThat(body(flows.runForResult(blind, request("k")))).contains("ch_1");
        oneOfEach();
    }

    @Test
    void queryableCallIsLookedUpBeforeItIsSentAgain() throws Exception {
        bank.honours = false;
        afterSend.set(() -> {
            afterSend.set(() -> {});
            throw new InjectedFailure();
        });
        var lookups = new AtomicInteger();
        var asking = builder(Downstream.queryable(call -> {
                    lookups.incrementAndGet();
                    return Optional.ofNullable(bank.byKey.get(call.key()));
                }))
                .build();

        assertThatThrownBy(() -> flows.runForResult(asking, request("k"))).isInstanceOf(InjectedFailure.class);
        assertThat(body(flows.runForResult(asking, request("k")))).contains("ch_1");
        oneOfEach();
        assertThat(lookups).hasValue(1);
    }

    /** Who asks the bank too early is told that nothing is there, and then it comes. */
    @Test
    void callInFlightAtCloseIsNotLookedUpBeforeItsTimeout() throws Exception {
        bank.honours = false;
        var sent = new CountDownLatch(1);
        var key = new AtomicReference<String>();
        var flow = Flow.of("pay", OrderRequest.class, Object.class)
                .foreignCall(
                        "pay",
                        Downstream.<ForeignCall<OrderRequest>, String>queryable(
                                call -> Optional.ofNullable(bank.byKey.get(call.key()))),
                        Duration.ofMinutes(1),
                        call -> {
                            if (key.compareAndSet(null, call.key())) {
                                sent.countDown();
                                new CountDownLatch(1).await();
                            }
                            return bank.charge(call.key(), 700);
                        },
                        (tx, at, charge) -> PhaseResult.finish(201, charge))
                .build();
        try (var itsStore = JdbcStore.on(source);
                var closed = Refrain.using(itsStore)) {
            var running = new FutureTask<>(() -> FlowRunner.on(closed, itsStore.transactions())
                    .runForResult(flow, request("k"), Duration.ofMinutes(2)));
            Thread.ofVirtual().start(running);
            sent.await();
            closed.close(Duration.ofMillis(10));
            assertThatThrownBy(running::get).hasCauseInstanceOf(InterruptedException.class);
        }
        assertThat(flows.runForResult(flow, request("k"))).isInstanceOf(OperationResult.InProgress.class);
        bank.charge(key.get(), 700);
        database.endLeases();

        assertThat(flows.runForResult(flow, request("k"))).isInstanceOf(OperationResult.Ran.class);
        assertThat(bank.charges).hasValue(1);
    }

    /** A constraint that is deferred is broken only when the phase is over. */
    @Test
    void phaseWhoseCommitIsRefusedHasFailedAndMayLeadElsewhere() throws Exception {
        deferredConstraint("refunds");
        var flow = Flow.of("refund", OrderRequest.class, Object.class)
                .phase("started", Set.of("refused"), (tx, at) -> {
                    execute(tx, "INSERT INTO refunds VALUES ('no such charge')");
                    return PhaseResult.finish(201, "refunded");
                })
                .onFailure(PhaseRetryPolicy.of(2, Duration.ZERO), (tx, at, failed) -> {
                    assertThat(failed.mayHaveTakenEffect()).isFalse();
                    return PhaseResult.goTo("refused");
                })
                .phase("refused", (tx, at) -> PhaseResult.fail(422, "no such charge"))
                .build();

        assertThat(body(flows.runForResult(flow, request("k")))).isEqualTo("422 no such charge");
        assertThat(count("refunds")).isZero();
    }

    private void deferredConstraint(String table) throws Exception {
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE charges (id VARCHAR(50) PRIMARY KEY)");
            statement.execute("CREATE TABLE " + table
                    + " (charge VARCHAR(50) REFERENCES charges (id) DEFERRABLE INITIALLY DEFERRED)");
        }
    }

    @Test
    void twinsMakeOneOrder() throws Exception {
        int twins = 20;
        var together = new CountDownLatch(1);
        var results = new ArrayList<Future<OperationResult>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < twins; i++) {
                results.add(threads.submit(() -> {
                    together.await();
                    return flows.runForResult(orders(), request("k"));
                }));
            }
            together.countDown();
        }
        for (var result : results) {
            assertThat(result.get())
                    .isNotInstanceOfAny(OperationResult.Mismatch.class, OperationResult.Attention.class);
        }
        assertThat(body(flows.runForResult(orders(), request("k")))).contains("ch_1");
        oneOfEach();
    }

    @Test
    void callThatTakesTooLongIsLeftAndSentAgain() throws Exception {
        afterSend.set(() -> {
            afterSend.set(() -> {});
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException left) {
                Thread.currentThread().interrupt();
            }
        });
        var impatient = Flow.of("orders.create", OrderRequest.class, Object.class)
                .foreignCall(
                        "charging",
                        Downstream.<ForeignCall<OrderRequest>, String>honoursKeys(Duration.ofHours(1)),
                        Duration.ofMillis(200),
                        call -> {
                            String id = bank.charge(call.key(), call.request().amount());
                            afterSend.get().run();
                            return id;
                        },
                        (tx, at, charge) -> PhaseResult.finish(201, charge))
                .build();

        assertThatThrownBy(() -> flows.runForResult(impatient, request("k"))).isInstanceOf(CallTimedOutException.class);
        await().ignoreException(CallTimedOutException.class)
                .untilAsserted(() -> assertThat(body(flows.runForResult(impatient, request("k"))))
                        .isEqualTo("201 ch_1"));
        assertThat(bank.charges).hasValue(1);
    }

    @Test
    void flowBegunByAnOlderVersionIsFinishedByIt() throws Exception {
        inReceipt.set(() -> {
            inReceipt.set(() -> {});
            throw new InjectedFailure();
        });
        var one = orders();
        assertThatThrownBy(() -> flows.runForResult(one, request("k"))).isInstanceOf(InjectedFailure.class);
        var two = Flow.of("orders.create", OrderRequest.class, Object.class)
                .version(2)
                .olderVersion(one)
                .phase("anew", (tx, at) -> PhaseResult.finish(200, "by two"))
                .build();

        assertThat(body(flows.runForResult(two, request("k")))).contains("ch_1");
        assertThat(body(flows.runForResult(two, request("other")))).isEqualTo("200 by two");
        oneOfEach();
    }

    /** In a rolling upgrade a retry comes to an instance that is not upgraded yet. */
    @Test
    void flowBegunByANewerVersionIsLeftToIt() throws Exception {
        var one = orders();
        var two = builder(Downstream.honoursKeys(Duration.ofHours(24)))
                .version(2)
                .olderVersion(one)
                .build();
        beforeSend.set(() -> {
            beforeSend.set(() -> {});
            throw new InjectedFailure();
        });
        assertThatThrownBy(() -> flows.runForResult(two, request("k"))).isInstanceOf(InjectedFailure.class);

        assertThat(flows.runForResult(one, request("k"))).isInstanceOf(OperationResult.InProgress.class);
        assertThat(refrain.admin().listAttention(10)).isEmpty();
        assertThat(body(flows.runForResult(two, request("k")))).contains("ch_1");
        oneOfEach();
    }

    /** A route that was served by one flow is served by another one after a deploy; their points have the same names. */
    @Test
    void recordOfOneFlowIsNotRunByAnother() throws Exception {
        var one = builder(Downstream.honoursKeys(Duration.ofHours(24)))
                .namespace("http")
                .build();
        var other = Flow.of("orders.refund", OrderRequest.class, Object.class)
                .namespace("http")
                .phase("started", (tx, at) -> PhaseResult.goTo("ordered"))
                .phase("ordered", (tx, at) -> PhaseResult.finish(200, "refunded"))
                .build();
        beforeSend.set(() -> {
            beforeSend.set(() -> {});
            throw new InjectedFailure();
        });
        assertThatThrownBy(() -> behindARoute(one, OutcomeRule.DEFAULT)).isInstanceOf(InjectedFailure.class);

        assertThat(behindARoute(other, OutcomeRule.DEFAULT)).isInstanceOf(OperationResult.InProgress.class);
        assertThat(body(behindARoute(one, OutcomeRule.DEFAULT))).contains("ch_1");
        oneOfEach();
    }

    @Test
    void flowThatNobodyCanFinishWaitsForADecision() throws Exception {
        inReceipt.set(() -> {
            throw new InjectedFailure();
        });
        assertThatThrownBy(() -> flows.runForResult(orders(), request("k"))).isInstanceOf(InjectedFailure.class);
        var two = Flow.of("orders.create", OrderRequest.class, Object.class)
                .version(2)
                .phase("anew", (tx, at) -> PhaseResult.finish(200, "by two"))
                .build();

        assertThat(flows.runForResult(two, request("k"))).isInstanceOf(OperationResult.Attention.class);
        assertThat(refrain.admin().listAttention(10))
                .singleElement()
                .satisfies(item -> assertThat(item.reason()).contains("version 1", "olderVersion"));
    }

    @Test
    void postponedPhaseIsReleasedAndKeepsNothing() throws Exception {
        var open = new AtomicInteger();
        var waiting = Flow.of("orders.create", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    execute(tx, "INSERT INTO receipts VALUES (?)", "too early");
                    return open.incrementAndGet() < 2
                            ? PhaseResult.retryAfter(Duration.ofSeconds(7), "the bank is closed")
                            : PhaseResult.finish(200, "open");
                })
                .build();

        assertThat(flows.runForResult(waiting, request("k")))
                .isEqualTo(new OperationResult.InProgress(Duration.ofSeconds(7)));
        assertThat(count("receipts")).isZero();
        assertThat(body(flows.runForResult(waiting, request("k")))).isEqualTo("200 open");
        assertThat(count("receipts")).isEqualTo(1);
    }
}
