package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.BOOK;
import static dev.refrain.trials.upgrades.FrozenShop.SCOPE;
import static dev.refrain.trials.upgrades.FrozenShop.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.api.AsyncRun;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.NotSentException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.DeliveryRefusedException;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.outbox.OutboxTarget;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.saga.SagaResult;
import dev.refrain.saga.StepFailedException;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.trials.upgrades.FrozenShop.OrderReceipt;
import dev.refrain.trials.upgrades.FrozenShop.OrderRequest;
import dev.refrain.trials.upgrades.FrozenShop.ProcessGone;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;

/**
 * Lets a shop live until there is a record, message and finding of every kind, by public code alone, and collects the facts that later
 * versions have to agree with.
 */
final class ShopHistory {

    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    private static final Duration TWELVE_HOURS = Duration.ofHours(12);
    private static final DeliveryBackoff SOME_MINUTES =
            new DeliveryBackoff(Duration.ofMinutes(5), Duration.ofMinutes(5));

    private static final String OPERATION = "POST /transfers";
    private static final String CALLER = "ann@shop";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String KEPT_REQUEST = "{\"amount\":700}";

    private final EmptyDatabase database;
    private final FrozenShop shop;
    private final Map<String, String> facts = new TreeMap<>();
    private final CountDownLatch dumped = new CountDownLatch(1);

    ShopHistory(EmptyDatabase database, FrozenShop shop) {
        this.database = database;
        this.shop = shop;
    }

    /** Facts, by name. Some work hangs from now on, until it is {@link #dumped}. */
    Map<String, String> happen() throws Exception {
        // First, because it settles whatever is left by then.
        attention();
        completed();
        requests();
        people();
        leases();
        flows();
        sagas();
        ledger();
        sealed();
        outbox();
        jobs();
        abandoned();
        shop.bank.standing().forEach((key, number) -> facts.put("bank." + key, number));
        shop.carrier.standing().forEach((key, number) -> facts.put("carrier." + key, number));
        facts.putAll(StoreInventory.of(shop.store));
        return facts;
    }

    /** What hangs may go on: its fate is no part of the data. */
    void dumped() {
        dumped.countDown();
    }

    private void completed() throws Exception {
        shop.answers().runForResult(call("binary-200"), claim -> FrozenShop.binaryAnswer());
        shop.answers().runForResult(call("empty-204"), claim -> Outcome.Answer.of(204, new byte[0]));
        shop.answers().runForResult(call("declined-402"), claim -> Outcome.Answer.of(402, utf8("declined")));
        shop.forADay().runForResult(call("for-a-day"), claim -> Outcome.Answer.of(200, utf8("today")));
        shop.marks().runForResult(call("state-only"), claim -> Outcome.Answer.of(200, utf8("not kept")));
        assertThatThrownBy(() -> shop.failures().run(call("kept-failure"), claim -> {
                    throw FrozenShop.ON_FIRE;
                }))
                .isSameAs(FrozenShop.ON_FIRE);
        shop.receipts()
                .run(
                        OperationCall.scope(SCOPE).key("typed-value").request(BOOK),
                        claim -> new OrderReceipt("order-7", "ch_7"));
        shop.receipts()
                .runForResult(OperationCall.scope(SCOPE).key("typed-nothing").request(BOOK), claim -> null);
        shop.transacted()
                .run(
                        OperationCall.scope(SCOPE).key("transacted").request(BOOK),
                        (claim, tx) -> new OrderReceipt("order-8", "ch_8"));
        for (String key : List.of("binary-200", "empty-204", "declined-402")) {
            facts.put(key + ".id", shop.record("answers", key).id().toString());
        }
    }

    private void requests() throws Exception {
        var request = FrozenShop.posted(FrozenShop.POSTED);
        var answer = Outcome.Answer.of(201, utf8("posted"));
        shop.http(FrozenShop.formerHmac())
                .runForResult(OperationCall.scope(SCOPE).key("http-former").request(request), claim -> answer);
        shop.http(FrozenShop.hmac())
                .runForResult(OperationCall.scope(SCOPE).key("http-hmac").request(request), claim -> answer);
        shop.http(FrozenShop.excluding())
                .runForResult(OperationCall.scope(SCOPE).key("http-excluding").request(request), claim -> answer);
        shop.http(FrozenShop.selecting())
                .runForResult(OperationCall.scope(SCOPE).key("http-selecting").request(request), claim -> answer);
        shop.http(FrozenShop.hmac())
                .runForResult(
                        OperationCall.scope(SCOPE).key("http-form").request(FrozenShop.form("a=1&b=%C3%BC")),
                        claim -> answer);
    }

    private void attention() throws Exception {
        leave(shop.transferring(SHORT), "transferring", "hold-retried");
        leave(shop.transferring(SHORT), "transferring", "resolved");
        leave(shop.transferring(SHORT), "transferring", "let-run-again");
        for (String key : List.of("hold-retried", "resolved", "let-run-again")) {
            await(() -> shop.transferring(SHORT).runForResult(call(key), claim -> "never")
                    instanceof OperationResult.Attention);
        }
        leave(shop.transferring(SHORT), "transferring", "hold-swept", explained("hold-swept"));
        leave(shop.charging(SHORT), "charging", "swept");
        await(() -> {
            shop.store.sweep(Duration.ZERO, 100);
            return shop.record("transferring", "hold-swept").state() == RecordState.ATTENTION
                    && shop.record("charging", "swept").state() == RecordState.RELEASED;
        });
        explanation("transferring", "hold-swept");
        var operators = shop.refrain.admin();
        operators.resolve(
                waiting("resolved").claim(),
                Outcome.Answer.of(200, utf8("\"the bank says yes\"")),
                "ann",
                "asked the bank");
        operators.release(waiting("let-run-again").claim(), "bob", "the bank says no");

        // Both without an end: one is taken up as often as may be, one was begun by a version that is gone.
        stopFlow(shop.honoured("orders.worn"), "orders.worn.sending", "worn-out", SHORT);
        shop.fail("orders.worn.sending");
        try (var completer = shop.flows.startCompleter(
                new CompleterSettings(OFTEN, Duration.ZERO, Duration.ofMillis(1), 2, 1),
                List.of(shop.honoured("orders.worn")))) {
            await(() -> shop.record("orders.worn", "worn-out").state() == RecordState.ATTENTION);
        }
        stopFlow(shop.honoured("orders.versions"), "orders.versions.charged", "version-gone", HALF_A_MINUTE);
        assertThat(shop.flows.runForResult(shop.secondVersion("orders.versions"), order("version-gone")))
                .isInstanceOf(OperationResult.Attention.class);
        stopFlow(shop.honoured("orders.versions"), "orders.versions.charged", "version-kept", HALF_A_MINUTE);
    }

    private AttentionItem waiting(String key) {
        return shop.refrain.admin().listAttention(100).stream()
                .filter(item -> item.identity().key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private void people() throws Exception {
        shop.answers()
                .runForResult(call("erased").withSubject("carla"), claim -> Outcome.Answer.of(200, utf8("of carla")));
        assertThatThrownBy(() -> shop.answers()
                        .runForResult(call("erased-released").withSubject("carla"), claim -> {
                            throw FrozenShop.ON_FIRE;
                        }))
                .isSameAs(FrozenShop.ON_FIRE);
        shop.answers()
                .runForResult(call("not-erased").withSubject("dora"), claim -> Outcome.Answer.of(200, utf8("of dora")));
        for (String key : List.of("erased", "erased-released")) {
            facts.put(key + ".id", shop.record("answers", key).id().toString());
        }
        var erased =
                shop.refrain.admin().erase(new ErasureRequest.OfSubject(SCOPE, "carla"), "dpo", "she asked for it");
        assertThat(erased.erased()).isEqualTo(2);
        shop.store
                .recordBrowser()
                .auditReveal(shop.record("answers", "binary-200").id(), "eve", "ticket 7");
    }

    private void leases() throws Exception {
        leave(shop.charging(HALF_A_MINUTE), "charging", "resume-over");
        leave(shop.charging(TWELVE_HOURS), "charging", "live-lease");
        leave(shop.transferring(HALF_A_MINUTE), "transferring", "hold-over");
        leave(shop.transferring(TWELVE_HOURS), "transferring", "hold-live");
        assertThatThrownBy(() -> shop.charging().run(call("released"), claim -> {
                    claim.derivedKey("charge");
                    throw FrozenShop.ON_FIRE;
                }))
                .isSameAs(FrozenShop.ON_FIRE);
        remember("charging", "released", "charge");
    }

    /** Begun, something was perhaps sent, and then nobody was heard of. */
    private void leave(LeasedOperation<String> operation, String namespace, String key) {
        leave(operation, namespace, key, call(key));
    }

    private void leave(LeasedOperation<String> operation, String namespace, String key, OperationCall call) {
        var run = (AsyncRun) operation.startAsync(call);
        run.claim().derivedKey("charge");
        run.abandon();
        remember(namespace, key, "charge");
    }

    /** A call with everything that a record can say of it, and its request for people. */
    private static OperationCall explained(String key) {
        return call(key)
                .withOperationName(OPERATION)
                .withCaller(CALLER)
                .withTraceId(TraceId.parse(TRACE).orElseThrow())
                .withKeptRequest(() -> Optional.of(Payload.of(utf8(KEPT_REQUEST))));
    }

    private void explanation(String namespace, String key) {
        var identity = new ScopedKey(SCOPE, namespace, key);
        var explained = shop.store.explain(identity).orElseThrow();
        facts.put(key + ".operation", explained.operation().orElseThrow());
        facts.put(key + ".caller", explained.caller().orElseThrow());
        facts.put(key + ".trace", explained.traceId().orElseThrow().toString());
        facts.put(
                key + ".kept-request",
                new String(
                        shop.refrain
                                .admin()
                                .findKeptRequest(identity)
                                .orElseThrow()
                                .bytes(),
                        StandardCharsets.UTF_8));
    }

    private void flows() throws Exception {
        var keys = shop.honoured("orders.keys");
        assertThat(shop.flows.runForResult(keys, order("flow-done"))).isInstanceOf(OperationResult.Ran.class);
        stopFlow(keys, "orders.keys.started", "at-start", HALF_A_MINUTE);
        stopFlow(keys, "orders.keys.charged", "at-charged", HALF_A_MINUTE);
        stopFlow(keys, "orders.keys.sent", "sent-arrived", HALF_A_MINUTE);
        stopFlow(keys, "orders.keys.sending", "sent-lost", HALF_A_MINUTE);
        shop.incidents.put("orders.keys.sending", () -> {
            throw new NotSentException("no connection", new IOException("refused"));
        });
        stopped(keys, "not-sent", HALF_A_MINUTE);
        shop.incidents.clear();
        stopFlow(shop.askable(), "orders.asked.sent", "asked-arrived", HALF_A_MINUTE);
        stopFlow(shop.askable(), "orders.asked.sending", "asked-lost", HALF_A_MINUTE);
    }

    private void stopFlow(Flow<OrderRequest, Object, Connection> flow, String place, String key, Duration lease) {
        shop.fail(place);
        stopped(flow, key, lease);
        shop.incidents.clear();
    }

    private void stopped(Flow<OrderRequest, Object, Connection> flow, String key, Duration lease) {
        try {
            assertThat(shop.flows.runForResult(flow, order(key), lease)).isInstanceOf(OperationResult.Attention.class);
        } catch (Exception released) {
            assertThat(shop.record(flow.name(), key).state()).isEqualTo(RecordState.RELEASED);
        }
        remember(flow.name(), key, "ordered");
    }

    private void sagas() throws Exception {
        var saga = shop.placing();
        assertThat(shop.sagas.runForResult(saga, order("saga-done"))).isInstanceOf(SagaResult.Completed.class);
        crash("ship", "saga-middle");
        shop.incidents.put("ship", () -> {
            throw new StepFailedException("address unknown");
        });
        assertThat(shop.sagas.runForResult(saga, order("saga-undone"))).isInstanceOf(SagaResult.Compensated.class);
        crash("refund", "saga-undoing");
        crash("putback", "saga-putting-back");
        shop.fail("refund");
        assertThat(shop.sagas.runForResult(saga, order("saga-stuck"))).isInstanceOf(SagaResult.Stuck.class);
        shop.incidents.clear();
        for (String key : List.of("saga-middle", "saga-undoing", "saga-putting-back", "saga-stuck")) {
            for (String step : List.of("reserve", "charge", "ship", "undo.charge", "undo.reserve")) {
                remember(saga.name(), key, step);
            }
        }
    }

    private void crash(String place, String key) {
        shop.incidents.put(place, () -> {
            throw new ProcessGone();
        });
        assertThatThrownBy(() -> shop.sagas.runForResult(shop.placing(), order(key)))
                .isInstanceOf(ProcessGone.class);
        shop.incidents.remove(place);
    }

    /** One finding of each kind, one that was closed by hand, and one that agrees. */
    private void ledger() throws Exception {
        for (String key : List.of("blind-agreed", "blind-vanished", "blind-differs", "blind-twice")) {
            assertThat(shop.flows.runForResult(shop.blind(), order(key))).isInstanceOf(OperationResult.Ran.class);
            remember("orders.blind", key, "ordered");
        }
        stopFlow(shop.blind(), "orders.blind.sent", "blind-arrived", HALF_A_MINUTE);
        stopFlow(shop.blind(), "orders.blind.sending", "blind-lost", HALF_A_MINUTE);
        show("tr_1", "blind-agreed", 700);
        show("tr_2", "blind-differs", 1);
        show("tr_3", "blind-twice", 700);
        show("tr_4", "blind-twice", 700);
        show("tr_5", "blind-arrived", 700);
        shop.bank.show("tr_6", "stranger", 5);
        shop.bank.show("tr_7", "known-stranger", 6);
        shop.reconciler.reconcile("bank", shop.bank, FrozenShop.AT_ONCE);
        for (var finding : shop.reconciler.findings("bank", 100)) {
            if (finding.key().equals("known-stranger")) {
                shop.reconciler.discard(finding, "frank", "that is the rent");
            } else {
                facts.put("finding." + finding.key(), finding(finding));
            }
        }
    }

    static String finding(LedgerFinding finding) {
        return StoreInventory.word(finding.kind()) + (finding.confirmed() ? ", confirmed" : "");
    }

    private void show(String id, String key, long amount) {
        shop.bank.show(id, String.valueOf(facts.get(key + ".key.ordered")), amount);
    }

    private void sealed() throws Exception {
        try (var old = FrozenShop.encrypted(database, FrozenShop.oldRing())) {
            seal(old, "old");
        }
        try (var rotated = FrozenShop.encrypted(database, FrozenShop.newRing())) {
            seal(rotated, "new");
        }
    }

    private void seal(FrozenShop sealed, String age) throws Exception {
        sealed.answers().runForResult(call("sealed-" + age), claim -> FrozenShop.binaryAnswer());
        sealed.transacted()
                .run(
                        OperationCall.scope(SCOPE)
                                .key("sealed-transacted-" + age)
                                .request(BOOK),
                        (claim, tx) -> new OrderReceipt(age, "ch"));
        sealed.fail("orders.sealed.charged");
        String key = "sealed-flow-" + age;
        assertThatThrownBy(() -> sealed.flows.runForResult(sealed.honoured("orders.sealed"), order(key)))
                .isInstanceOf(IllegalStateException.class);
        remember("orders.sealed", key, "ordered");
        facts.put(
                "sealed.charge." + age, String.join(" ", sealed.bank.standing().values()));
    }

    private void outbox() throws Exception {
        stage(
                OutboxMessage.of("receipts", "receipt one"),
                OutboxMessage.of("receipts", new OrderReceipt("order-9", "ch_9")));
        for (int i = 1; i <= 3; i++) {
            stage(OutboxMessage.of("notices", "notice " + i).orderedBy("customer-7"));
        }
        stage(OutboxMessage.of("mails", "mail"), OutboxMessage.of("letters", "letter"));
        for (String topic : List.of("mails", "letters")) {
            var taken = shop.store
                    .outbox()
                    .leaseMessages(new MessageLeaseRequest(topic, Duration.ofMinutes(1), 10, 10, 1 << 20));
            facts.put(topic + ".key", new RecordId(taken.getFirst().id()).keyFor(topic));
        }
        Downstream<MessageDelivery, Object> forEver = Downstream.honoursKeysForEver();
        Downstream<MessageDelivery, Object> forADay = Downstream.honoursKeys(Duration.ofHours(24));
        relay(TopicSettings.of("kept").deliveredRetention(Duration.ofHours(1)), forEver, delivery -> {});
        relay(topic("hooks", 5), forEver, failing("503"));
        relay(topic("refused", 5), forEver, delivery -> {
            throw DeliveryRefusedException.permanent("410");
        });
        for (String topic : List.of("exhausted", "again", "dismissed")) {
            relay(topic(topic, 1), forADay, failing("504"));
        }
        relay(topic("unknown", 5), Downstream.notRetryable(), failing("reset"));
        for (var letter : shop.outbox.deadLetters(null, 100)) {
            facts.put(letter.topic() + ".id", letter.id().toString());
            facts.put(letter.topic() + ".key", new RecordId(letter.id()).keyFor(letter.topic()));
        }
        shop.outbox.resend(dead("again").id(), "gina", "the endpoint is mended");
        shop.outbox.discard(dead("dismissed").id(), "hans", "the customer has left");
    }

    private DeadLetter dead(String topic) {
        return shop.outbox.deadLetters(null, 100).stream()
                .filter(letter -> letter.topic().equals(topic))
                .findFirst()
                .orElseThrow();
    }

    private static TopicSettings topic(String name, int attempts) {
        return TopicSettings.of(name).maxAttempts(attempts).backoff(SOME_MINUTES);
    }

    private static OutboxTarget failing(String why) {
        return delivery -> {
            throw new IllegalStateException(why);
        };
    }

    /** Stages a message, and has it delivered once. */
    private void relay(TopicSettings topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target)
            throws Exception {
        String name = topic.name();
        stage(OutboxMessage.of(name, "body of " + name));
        try (var relay = Relay.on(shop.refrain, shop.store.outbox())
                .sendTo(topic, downstream, delivery -> {
                    facts.put(name + ".key", delivery.key());
                    target.send(delivery);
                })
                .start()) {
            await(() -> shop.events.stream().anyMatch(event -> switch (event) {
                case RefrainEvent.Delivered delivered -> delivered.topic().equals(name);
                case RefrainEvent.DeliveryDelayed putOff -> putOff.topic().equals(name);
                case RefrainEvent.DeadLettered dead -> dead.topic().equals(name);
                default -> false;
            }));
        }
    }

    private void stage(OutboxMessage... messages) throws Exception {
        try (var connection = database.source().getConnection()) {
            connection.setAutoCommit(false);
            for (var message : messages) {
                shop.outbox.stage(connection, message);
            }
            connection.commit();
        }
    }

    private void jobs() throws Exception {
        assertThat(shop.jobs.run(shop.invoicing(), ClientKey.scope(SCOPE).key("job-done"), "order 1"))
                .isEqualTo("invoice of order 1");
        assertThatThrownBy(() ->
                        shop.jobs.run(shop.printing(), ClientKey.scope(SCOPE).key("job-failed"), "order 2"))
                .hasMessage("out of paper");
        try (var connection = database.source().getConnection()) {
            connection.setAutoCommit(false);
            shop.jobs.enqueue(
                    connection, shop.invoicing(), ClientKey.scope(SCOPE).key("job-done"), "order 1");
            shop.jobs.enqueue(
                    connection, shop.invoicing(), ClientKey.scope(SCOPE).key("job-waiting"), "order 3");
            connection.commit();
        }
    }

    /** In progress, with the request that is needed to finish it: at a call, at a call for the second time, and in a phase. */
    private void abandoned() throws Exception {
        var left = shop.honoured("orders.left");
        stopFlow(left, "orders.left.sending", "taken-up", SHORT);
        var hanging = new CountDownLatch(1);
        hangAt("orders.left.sent", hanging);
        try (var completer = shop.flows.startCompleter(
                new CompleterSettings(OFTEN, Duration.ZERO, Duration.ofMinutes(2), 10, 1), List.of(left))) {
            hanging.await();
        }
        var second = new CountDownLatch(1);
        hangAt("orders.left.sent", second);
        start(left, "left-at-call");
        second.await();
        shop.incidents.clear();

        var third = new CountDownLatch(1);
        hangAt("orders.left.charged", third);
        remember("orders.left", "taken-up", "ordered");
        start(left, "left-in-phase");
        third.await();
        for (String key : List.of("left-at-call", "left-in-phase")) {
            remember("orders.left", key, "ordered");
        }
    }

    private void hangAt(String place, CountDownLatch reached) {
        shop.incidents.put(place, () -> {
            reached.countDown();
            dumped.await();
            throw new IllegalStateException("The process was gone before.");
        });
    }

    private void start(Flow<OrderRequest, Object, Connection> flow, String key) {
        Thread.startVirtualThread(() -> {
            try {
                shop.flows.runForResult(flow, order(key));
            } catch (Exception late) {
                // What becomes of it after the dump is no part of the data.
            }
        });
    }

    private void remember(String namespace, String key, String step) {
        var id = shop.record(namespace, key).id();
        facts.put(key + ".id", id.toString());
        facts.put(key + ".key." + step, id.keyFor(step));
    }

    static OperationCall call(String key) {
        return OperationCall.scope(SCOPE).key(key).request("the request");
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void await(Callable<Boolean> done) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1))
                .until(done);
    }
}
