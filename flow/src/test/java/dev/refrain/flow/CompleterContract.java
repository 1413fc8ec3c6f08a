package dev.refrain.flow;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.Downstream;
import dev.refrain.api.OperationResult;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.recover.AttentionLog;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.servers.CapturedWarnings;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.JdbcStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Flows that their callers left are finished, on each database: once, by one, and not for ever. */
abstract class CompleterContract extends OrderFlowFixture {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMillis(50);

    /** To be taken up counts as an attempt, also if the claim comes only after the next one: on a slow machine, not after this. */
    private static final Duration PAUSE = Duration.ofMillis(600);

    private static final CompleterSettings QUICK = new CompleterSettings(SOON, SOON, PAUSE, 50, 4);

    /** The next of the three is due when the test says so. */
    private static final CompleterSettings THRICE = new CompleterSettings(SOON, SOON, Duration.ofHours(1), 3, 4);

    private final List<Refrain> instances = new ArrayList<>();
    private final List<JdbcStore> stores = new ArrayList<>();
    private final ConcurrentLinkedQueue<RefrainEvent> events = new ConcurrentLinkedQueue<>();

    @AfterEach
    final void closeInstances() {
        instances.forEach(Refrain::close);
        stores.forEach(JdbcStore::close);
    }

    /** One more instance of the application on the same database, with a completer for these. */
    private void complete(CompleterSettings how, List<Flow<?, ?, Connection>> these) {
        var itsStore = JdbcStore.on(source);
        var instance = Refrain.using(itsStore, RefrainSettings.defaults().with(events::add));
        stores.add(itsStore);
        instances.add(instance);
        FlowRunner.on(instance, itsStore.transactions()).startCompleter(how, these);
    }

    @Test
    void completerIsRefusedAtStartOnStoreWithoutCompletion() {
        var bare = hiding(Store.class, "ability", Optional.empty(), store);
        var transactions = hiding(
                StoreTransactionFactory.class,
                "belongTo",
                true,
                hiding(StoreTransactionFactory.class, "store", bare, store.transactions()));
        var instance = Refrain.using(bare);
        instances.add(instance);
        var flow = orders();

        assertThatThrownBy(() -> flowsOf(instance, transactions).startCompleter(List.of(flow)))
                .isInstanceOf(MissingAbilityException.class)
                .hasMessageContaining("The completer of the flows [" + flow.name() + "]")
                .hasMessageContaining(store.traits().name());
    }

    @SuppressWarnings("unchecked")
    private static FlowRunner<Connection> flowsOf(Refrain instance, StoreTransactionFactory<?> transactions) {
        return FlowRunner.on(instance, (StoreTransactionFactory<Connection>) transactions);
    }

    private static <T> T hiding(Class<T> type, String name, Object answer, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    default -> method.getName().equals(name) ? answer : method.invoke(real, arguments);
                }));
    }

    @Test
    void flowThatCouldNotBeClaimedHasNotBeenAttempted() throws Exception {
        stopOnce(beforeSend);
        leave(orders(), "k");
        var busy = new AtomicBoolean(true);
        var slow = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                    if (busy.get() && method.getName().equals("claim")) {
                        throw StoreException.unavailable("The store is busy.", StoreException.Effect.NONE, null);
                    }
                    return method.getName().equals("equals") ? self == arguments[0] : method.invoke(store, arguments);
                });
        var instance = Refrain.using(slow, RefrainSettings.defaults().with(events::add));
        instances.add(instance);
        var transactions = hiding(StoreTransactionFactory.class, "store", slow, store.transactions());
        flowsOf(instance, transactions).startCompleter(THRICE, List.of(orders()));
        for (int i = 1; i <= 5; i++) {
            int attempts = i;
            await().untilAsserted(() -> assertThat(events.stream()
                            .filter(RefrainEvent.AttemptFailed.class::isInstance)
                            .count())
                    .isEqualTo(attempts));
            database.makeDue();
        }
        assertThat(attention()).isEmpty();

        busy.set(false);
        // Seldom enough for a run to end: it makes the flow due for others, also while it runs.
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofSeconds(5)).untilAsserted(() -> {
            database.makeDue();
            assertThat(count("receipts")).isEqualTo(1);
        });
        oneOfEach();
    }

    private void leave(Flow<OrderRequest, Object, Connection> flow, String key) throws SQLException {
        assertThatThrownBy(() -> flows.runForResult(flow, request(key), LEASE)).isInstanceOf(InjectedFailure.class);
        database.makeDue();
    }

    private static void stopOnce(AtomicReference<Runnable> where) {
        where.set(() -> {
            where.set(() -> {});
            throw new InjectedFailure();
        });
    }

    private OperationResult answerTo(Flow<OrderRequest, Object, Connection> flow, String key) throws Exception {
        return flows.runForResult(flow, request(key), LEASE);
    }

    /** Whoever looks at work that is not to be taken up puts it off. */
    private void awaitLookedAt() throws SQLException {
        await().until(() -> count("refrain_payload WHERE kind = 2") == 1);
        database.makeDue();
        await().until(() -> count("refrain_payload WHERE kind = 2 AND due_at > " + database.longAgo()) == 1);
    }

    private List<AttentionItem> attention() {
        return refrain.admin().listAttention(100);
    }

    @Test
    void abandonedFlowIsFinishedFromTheStoredRequest() throws Exception {
        for (var where : List.of(beforeSend, afterSend, inReceipt)) {
            stopOnce(where);
        }
        leave(orders(), "k");

        complete(QUICK, List.of(orders()));
        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(1));

        await().untilAsserted(() -> assertThat(body(answerTo(orders(), "k"))).contains("ch_1"));
        assertThat(answerTo(orders(), "k")).isInstanceOf(OperationResult.Replayed.class);
        oneOfEach();
        assertThat(events)
                .anyMatch(RefrainEvent.CompletionAttempted.class::isInstance)
                .anyMatch(RefrainEvent.AttemptFailed.class::isInstance);
    }

    /** Everything was down for longer than its retention. */
    @Test
    void halfDoneFlowIsFinishedHoweverLate() throws Exception {
        stopOnce(inReceipt);
        leave(orders(), "k");
        database.endRetentions();
        assertThat(store.reap(10)).isZero();

        complete(QUICK, List.of(orders()));

        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(1));
        oneOfEach();
    }

    /** It found a flow, stood still until that was forgotten, and then claimed what was not there any more. */
    @Test
    void flowClaimedAnewByALateCompleterCanBeFinishedLikeAnyOther() throws Exception {
        var identity = new ScopedKey("shop", "orders.create", "k");
        stopOnce(beforeSend);
        leave(orders(), "k");
        var record = refrain.admin().find(identity).orElseThrow();
        for (var table : List.of("refrain_record", "refrain_payload", "orders")) {
            empty(table);
        }
        refrain.operation("orders.create")
                .phased(store.transactions())
                .resume(
                        new AbandonedRecord(
                                identity, record.id(), record.fingerprint().orElseThrow(), 1),
                        claim -> {
                            throw new AssertionError("Nobody asked for this one.");
                        });

        stopOnce(inReceipt);
        leave(orders(), "k");
        complete(QUICK, List.of(orders()));

        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(1));
        oneOfEach();
    }

    private void empty(String table) throws SQLException {
        try (var connection = source.getConnection()) {
            execute(connection, "DELETE FROM " + table);
        }
    }

    @Test
    void manyInstancesFinishManyFlowsOnceEach() throws Exception {
        afterSend.set(() -> {
            throw new InjectedFailure();
        });
        var flow = orders();
        int many = 40;
        for (int i = 0; i < many; i++) {
            leave(flow, "k" + i);
        }
        afterSend.set(() -> {});

        for (int instance = 0; instance < 2; instance++) {
            complete(QUICK, List.of(flow));
        }

        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(many));
        assertThat(count("orders")).isEqualTo(many);
        assertThat(bank.charges).hasValue(many);
        assertThat(attention()).isEmpty();
    }

    @Test
    void oneThatNeverSucceedsEndsInAttentionAndKeepsNobodyElseWaiting() throws Exception {
        var poisoned = Flow.of("poisoned", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    throw new InjectedFailure();
                })
                .build();
        stopOnce(inReceipt);
        leave(poisoned, "bad");
        leave(orders(), "good");

        try (var log = CapturedWarnings.of(AttentionLog.class)) {
            complete(THRICE, List.of(poisoned, orders()));

            await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(1));
            for (int attempts = 1; attempts <= THRICE.maxAttempts(); attempts++) {
                int before = attempts;
                await().until(() -> failures() == before && count("refrain_record WHERE state = 1") == 0);
                database.makeDue();
            }
            await().untilAsserted(() -> assertThat(attention()).singleElement().satisfies(item -> {
                assertThat(item.identity().key()).isEqualTo("bad");
                assertThat(item.reason()).contains("taken up 3 times");
            }));
            assertThat(failures()).isEqualTo(3);
            await().until(() -> !log.messages().isEmpty());
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of poisoned, key …, record "
                            + attention().getFirst().claim().id())
                    .contains("as often as it may", "refrain keys resolve");
        }
    }

    private long failures() {
        return events.stream()
                .filter(RefrainEvent.AttemptFailed.class::isInstance)
                .count();
    }

    @Test
    void oneThatHangsLeavesRoomForTheOthers() throws Exception {
        var never = new CountDownLatch(1);
        var hanging = Flow.of("hanging", OrderRequest.class, Object.class)
                .foreignCall(
                        "calling",
                        Downstream.<ForeignCall<OrderRequest>, String>honoursKeysForEver(),
                        Duration.ofSeconds(60),
                        call -> {
                            if (call.maybeSentBefore()) {
                                never.await();
                            }
                            throw new InjectedFailure();
                        },
                        (tx, at, answer) -> PhaseResult.finish(200, answer))
                .build();
        leave(hanging, "hangs");
        stopOnce(inReceipt);
        leave(orders(), "good");
        complete(new CompleterSettings(SOON, SOON, PAUSE, 50, 2), List.of(hanging, orders()));

        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(1));
        never.countDown();
    }

    @Test
    void runningFlowIsLeftAlone() throws Exception {
        var go = new CountDownLatch(1);
        var runs = new AtomicInteger();
        var slow = Flow.of("slow", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> PhaseResult.goTo("working"))
                .foreignCall(
                        "working",
                        Downstream.<ForeignCall<OrderRequest>, String>honoursKeysForEver(),
                        Duration.ofSeconds(60),
                        call -> {
                            runs.incrementAndGet();
                            go.await();
                            return "done";
                        },
                        (tx, at, answer) -> PhaseResult.finish(200, answer))
                .build();
        complete(QUICK, List.of(slow));
        var caller = new FutureTask<>(() -> flows.runForResult(slow, request("k"), LEASE));
        Thread.ofVirtual().start(caller);

        awaitLookedAt();
        go.countDown();

        assertThat(body(caller.get())).isEqualTo("200 done");
        assertThat(runs).hasValue(1);
        assertThat(events).noneMatch(RefrainEvent.CompletionAttempted.class::isInstance);
    }

    @Test
    void flowNoLongerAllowedWaitsForADecision() throws Exception {
        var allowed = new AtomicInteger();
        var guarded = Flow.of("guarded", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    if (allowed.getAndIncrement() == 0) {
                        throw new InjectedFailure();
                    }
                    return PhaseResult.fail(403, "no longer");
                })
                .build();
        leave(guarded, "k");

        try (var log = CapturedWarnings.of(AttentionLog.class)) {
            complete(QUICK, List.of(guarded));

            await().untilAsserted(() -> assertThat(attention())
                    .singleElement()
                    .satisfies(item -> assertThat(item.reason()).contains("403")));
            await().until(() -> !log.messages().isEmpty());
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of guarded, key …, record "
                            + attention().getFirst().claim().id())
                    .contains("refrain keys resolve");
        }
    }

    @Test
    void callThatCannotBeAskedAboutIsSentAgainOnlyIfAPersonSaysSo() throws Exception {
        var blind = builder(Downstream.notRetryable()).build();
        beforeSend.set(() -> {
            beforeSend.set(() -> {});
            throw new InjectedFailure();
        });
        assertThat(flows.runForResult(blind, request("k"), LEASE)).isInstanceOf(OperationResult.Attention.class);
        complete(QUICK, List.of(blind));
        awaitLookedAt();
        assertThat(bank.charges).hasValue(0);

        refrain.admin().release(attention().getFirst().claim(), "ann", "the bank has no such charge");

        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(1));
        oneOfEach();
    }

    @Test
    void flowsOfOneNamespaceAreDistinguished() throws Exception {
        var flowsOfApi = IntStream.range(0, 2)
                .mapToObj(i -> Flow.of("flow-" + i, OrderRequest.class, Object.class)
                        .namespace("api")
                        .phase("started", (tx, at) -> {
                            if (inReceipt.get() != null) {
                                inReceipt.get().run();
                            }
                            execute(tx, "INSERT INTO receipts VALUES (?)", "flow-" + i);
                            return PhaseResult.finish(200, "by flow-" + i);
                        })
                        .build())
                .toList();
        inReceipt.set(() -> {
            throw new InjectedFailure();
        });
        leave(flowsOfApi.get(0), "k0");
        leave(flowsOfApi.get(1), "k1");
        inReceipt.set(() -> {});

        complete(QUICK, List.copyOf(flowsOfApi));

        await().untilAsserted(() -> assertThat(count("receipts")).isEqualTo(2));
        await().untilAsserted(() ->
                assertThat(body(answerTo(flowsOfApi.get(1), "k1"))).isEqualTo("200 by flow-1"));
        assertThat(body(answerTo(flowsOfApi.get(0), "k0"))).isEqualTo("200 by flow-0");
    }
}
