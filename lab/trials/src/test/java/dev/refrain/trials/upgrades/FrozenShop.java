package dev.refrain.trials.upgrades;

import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RequestFingerprinter;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.Payload;
import dev.refrain.api.RequestContent;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseContext;
import dev.refrain.flow.PhaseResult;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.reconcile.Reconciler;
import dev.refrain.reconcile.ReconcilerSettings;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaRunner;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.OutboxStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The application whose data is frozen: its operations, flows, sagas and jobs are the same for whoever writes the data and for whoever
 * opens it later. Names of operations, points, steps, topics and keys are in the data, and never change.
 *
 * <p>What its phases did is noted, what it called is in the books of others, and at each place a test may have something happen.
 */
final class FrozenShop implements AutoCloseable {

    /** What is asked of flows and sagas. */
    record OrderRequest(String article, long amount) {}

    /** What they answer. */
    record OrderReceipt(String order, String charge) {}

    /** Something that happens at a place. */
    @FunctionalInterface
    interface ShopIncident {
        void happen() throws Exception;
    }

    /** The process is gone. */
    static final class ProcessGone extends Error {
        static final long serialVersionUID = 1L;
    }

    static final String SCOPE = "shop";
    static final OrderRequest BOOK = new OrderRequest("book", 700);
    static final Map<String, String> ANN = Map.of("user", "ann", "plan", "gold");
    static final ReconcilerSettings AT_ONCE =
            new ReconcilerSettings(Duration.ZERO, Duration.ofHours(1), Duration.ofDays(3), Duration.ofDays(7), 500);

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final byte[] OLD_SECRET = secret(1);
    private static final byte[] NEW_SECRET = secret(2);

    final ForeignBooks bank = new ForeignBooks();
    final ForeignBooks carrier = new ForeignBooks();
    final List<String> notes = new CopyOnWriteArrayList<>();
    final List<RefrainEvent> events = new CopyOnWriteArrayList<>();
    final Map<String, ShopIncident> incidents = new ConcurrentHashMap<>();
    final JdbcStore store;
    final Refrain refrain;
    final FlowRunner<Connection> flows;
    final SagaRunner<Connection> sagas;
    final Outbox<Connection> outbox;
    final KeyedJobQueue<Connection> jobs;
    final Reconciler reconciler;
    private final StoreTransactionFactory<Connection> transactions;

    private FrozenShop(
            JdbcStore store,
            Store shown,
            StoreTransactionFactory<Connection> transactions,
            OutboxStore<Connection> messages) {
        this.store = store;
        this.transactions = transactions;
        refrain = Refrain.using(
                shown,
                RefrainSettings.defaults()
                        .with(events::add)
                        .with(RefrainSettings.CacheSettings.OFF)
                        .with(new RefrainSettings.MaintenanceSchedule(NEVER, Duration.ofMinutes(1), NEVER)));
        flows = FlowRunner.on(refrain, transactions).withLedgers(store.ledger());
        sagas = SagaRunner.on(flows);
        outbox = Outbox.on(refrain, messages);
        jobs = KeyedJobQueue.on(refrain, transactions, messages);
        reconciler = Reconciler.on(refrain, store.ledger());
    }

    /** Nobody sweeps or reaps by itself: that is a test's to do. */
    static FrozenShop open(EmptyDatabase database) {
        var store =
                JdbcStore.builder(database.source()).createBrowsingIndex(true).build();
        return new FrozenShop(store, store, store.transactions(), store.outbox());
    }

    /** The same with encryption at rest, in a database that has keys in the clear too. */
    static FrozenShop encrypted(EmptyDatabase database, EncryptionKeyRing ring) {
        var store = JdbcStore.on(database.source());
        var sealed = EncryptingStore.around(store, ring.readingPlain());
        return new FrozenShop(store, sealed, sealed.transactions(store.transactions()), sealed.outbox(store.outbox()));
    }

    @Override
    public void close() {
        refrain.close(Duration.ofSeconds(5));
        store.close();
    }

    static EncryptionKeyRing oldRing() {
        return EncryptionKeyRing.of("2025", OLD_SECRET);
    }

    /** As it is after a rotation. */
    static EncryptionKeyRing newRing() {
        return EncryptionKeyRing.of("2026", NEW_SECRET).and("2025", OLD_SECRET);
    }

    /** Of somebody who has none of the secrets. */
    static EncryptionKeyRing foreignRing() {
        return EncryptionKeyRing.of("2027", secret(3));
    }

    private static byte[] secret(int filling) {
        var secret = new byte[32];
        Arrays.fill(secret, (byte) filling);
        return secret;
    }

    // Operations.

    LeasedOperation<Outcome.Answer> answers() {
        return refrain.operation("answers").retention(Retention.FOREVER).leased(LeaseExpiryPolicy.RESUME);
    }

    /** Everything an answer can have: a header twice, every byte there is. */
    static Outcome.Answer binaryAnswer() {
        var bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return new Outcome.Answer(
                200,
                List.of(
                        new AnswerHeader("Content-Type", "application/octet-stream"),
                        new AnswerHeader("Set-Cookie", "a=1"),
                        new AnswerHeader("Set-Cookie", "b=ü"),
                        new AnswerHeader("X-Empty", "")),
                Payload.of(bytes));
    }

    /** Not for ever: after a day it is a new request. */
    LeasedOperation<Outcome.Answer> forADay() {
        return refrain.operation("answers.daily")
                .retention(Duration.ofHours(24))
                .leased(LeaseExpiryPolicy.RESUME);
    }

    LeasedOperation<Outcome.Answer> marks() {
        return refrain.operation("marks")
                .retention(Retention.FOREVER)
                .keepStateOnly()
                .leased(LeaseExpiryPolicy.RESUME);
    }

    LeasedOperation<String> failures() {
        return refrain.operation("failures", String.class)
                .retention(Retention.FOREVER)
                .outcomeRule(OutcomeRule.EVERYTHING)
                .leased(LeaseExpiryPolicy.RESUME);
    }

    static final IOException ON_FIRE = new IOException("the card reader is on fire");

    LeasedOperation<OrderReceipt> receipts() {
        return typed("receipts").leased(LeaseExpiryPolicy.RESUME);
    }

    TransactionalOperation<OrderReceipt, Connection> transacted() {
        return typed("receipts.transacted").transactional(transactions);
    }

    private Operation<OrderReceipt> typed(String name) {
        return refrain.operation(name, OrderReceipt.class).retention(Retention.FOREVER);
    }

    /** What is safe to repeat under its derived key. */
    LeasedOperation<String> charging() {
        return charging(Duration.ofSeconds(30));
    }

    LeasedOperation<String> charging(Duration lease) {
        return refrain.operation("charging", String.class)
                .retention(Retention.FOREVER)
                .lease(lease)
                .maxRunTime(Duration.ofDays(2))
                .leased(LeaseExpiryPolicy.RESUME);
    }

    /** What must not happen twice. */
    LeasedOperation<String> transferring(Duration lease) {
        return refrain.operation("transferring", String.class)
                .retention(Retention.FOREVER)
                .lease(lease)
                .maxRunTime(Duration.ofDays(2))
                .leased(LeaseExpiryPolicy.HOLD);
    }

    // Requests over HTTP.

    LeasedOperation<Outcome.Answer> http(RequestFingerprinter fingerprinter) {
        return refrain.operation("http")
                .retention(Retention.FOREVER)
                .fingerprinter(fingerprinter)
                .leased(LeaseExpiryPolicy.RESUME);
    }

    static RequestFingerprinter formerHmac() {
        return RequestFingerprinter.builder().secret("2025", OLD_SECRET).build();
    }

    static RequestFingerprinter hmac() {
        return RequestFingerprinter.builder()
                .secret("2026", NEW_SECRET)
                .previousSecret("2025", OLD_SECRET)
                .build();
    }

    static RequestFingerprinter excluding() {
        return RequestFingerprinter.builder().ignoredFields("/requestedAt").build();
    }

    static RequestFingerprinter selecting() {
        return RequestFingerprinter.builder()
                .includeOnly("/article")
                .maxCanonicalBytes(1_000)
                .build();
    }

    static RequestContent form(String fields) {
        return RequestContent.http(
                "POST", "/orders", "", "application/x-www-form-urlencoded", fields.getBytes(StandardCharsets.UTF_8));
    }

    static RequestContent posted(String json) {
        return RequestContent.http(
                "POST", "/orders", "dry=1", "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    static final String POSTED = "{\"article\":\"b\\u00fccher\",\"amount\":7.0,\"requestedAt\":\"2026-11-16\"}";

    /** The same to JSON: other order, other spelling, other space. */
    static final String POSTED_ALIKE = "{ \"requestedAt\" : \"2026-11-16\", \"amount\" : 7, \"article\" : \"bücher\" }";

    static final String POSTED_LATER = "{\"article\":\"bücher\",\"amount\":7,\"requestedAt\":\"2027-01-01\"}";

    // Flows.

    /** To a bank that remembers keys for a day. */
    Flow<OrderRequest, Object, Connection> honoured(String name) {
        return ordering(name, Downstream.honoursKeys(Duration.ofHours(24))).build();
    }

    /** To a bank that can be asked. */
    Flow<OrderRequest, Object, Connection> askable() {
        return ordering("orders.asked", Downstream.queryable(call -> bank.find(call.key())))
                .build();
    }

    /** To a bank that neither remembers nor can be asked; its ledger is read. */
    Flow<OrderRequest, Object, Connection> blind() {
        return begun("orders.blind")
                .foreignCall(
                        "ordered",
                        Downstream.<ForeignCall<OrderRequest>, String>notRetryable(),
                        LedgerEntryMapping.<OrderRequest, String>inLedger(
                                "bank", at -> at.request().amount()),
                        WITHIN,
                        call -> charge("orders.blind", call.key()),
                        (tx, at, charge) ->
                                PhaseResult.goTo("charged", new OrderReceipt(at.carriedValue(String.class), charge)))
                .phase("charged", (tx, at) -> finished("orders.blind", at))
                .build();
    }

    /** A newer version that does not finish what the one before began. */
    Flow<OrderRequest, Object, Connection> secondVersion(String name) {
        return ordering(name, Downstream.honoursKeys(Duration.ofHours(24)))
                .version(2)
                .build();
    }

    /** A newer version that does. */
    Flow<OrderRequest, Object, Connection> finishingFirst(String name) {
        return ordering(name, Downstream.honoursKeys(Duration.ofHours(24)))
                .version(2)
                .olderVersion(honoured(name))
                .build();
    }

    private Flow.Builder<OrderRequest, Object, Connection> begun(String name) {
        return Flow.of(name, OrderRequest.class, Object.class).phase("started", (tx, at) -> {
            note(name + " started " + at.request().article() + " for " + user(at));
            at(name + ".started");
            return PhaseResult.goTo("ordered", "order of a " + at.request().article());
        });
    }

    private Flow.Builder<OrderRequest, Object, Connection> ordering(
            String name, Downstream<ForeignCall<OrderRequest>, String> downstream) {
        return begun(name)
                .foreignCall(
                        "ordered",
                        downstream,
                        WITHIN,
                        call -> charge(name, call.key()),
                        (tx, at, charge) ->
                                PhaseResult.goTo("charged", new OrderReceipt(at.carriedValue(String.class), charge)))
                .phase("charged", (tx, at) -> finished(name, at));
    }

    private static String user(PhaseContext<OrderRequest> at) {
        return at.principal().getOrDefault("user", "nobody");
    }

    private String charge(String flow, String key) throws Exception {
        at(flow + ".sending");
        String charge = bank.enter(key);
        at(flow + ".sent");
        return charge;
    }

    private PhaseResult<Object> finished(String flow, PhaseContext<OrderRequest> at) throws Exception {
        var receipt = at.carriedValue(OrderReceipt.class);
        note(flow + " charged " + receipt.order() + " for " + user(at));
        at(flow + ".charged");
        return PhaseResult.finish(201, receipt);
    }

    static FlowRequest<OrderRequest> order(String key) {
        return FlowRequest.of(ClientKey.scope(SCOPE).key(key), BOOK).withPrincipal(ANN);
    }

    // Sagas.

    Saga<OrderRequest, Connection> placing() {
        return Saga.of("order.place", OrderRequest.class)
                .retries(2, Duration.ofMillis(1))
                .compensationRetries(2, Duration.ofMillis(1))
                .callTimeout(WITHIN)
                .step(
                        "reserve",
                        (tx, at) -> {
                            note("reserve " + at.request().article());
                            return at.key();
                        },
                        (tx, at) -> {
                            at("putback");
                            note("put back " + at.result("reserve", String.class));
                        })
                .foreignCall(
                        "charge",
                        Downstream.<ForeignCall<OrderRequest>, String>honoursKeys(Duration.ofHours(24)),
                        call -> charge("order.place", call.key()),
                        call -> {
                            at("refund");
                            note("refund under " + call.key());
                            bank.takeBack(call.stepKey());
                        })
                .foreignCall(
                        "ship",
                        Downstream.<ForeignCall<OrderRequest>, String>queryable(call -> carrier.find(call.key())),
                        call -> {
                            at("ship");
                            return carrier.enter(call.key());
                        },
                        call -> carrier.takeBack(call.stepKey()))
                .build();
    }

    // Jobs.

    KeyedJob<String, String, Connection> invoicing() {
        return KeyedJob.transactional("invoice", String.class, String.class, (tx, order) -> {
            note("invoice " + order);
            return "invoice of " + order;
        });
    }

    KeyedJob<String, String, Connection> printing() {
        return KeyedJob.leased("print", String.class, String.class, LeaseExpiryPolicy.HOLD, (claim, order) -> {
            note("print " + order);
            throw new IOException("out of paper");
        });
    }

    // What happens.

    void note(String what) {
        notes.add(what);
    }

    void at(String place) throws Exception {
        var incident = incidents.get(place);
        if (incident != null) {
            incident.happen();
        }
    }

    void fail(String place) {
        incidents.put(place, () -> {
            throw new IllegalStateException("The line is dead.");
        });
    }

    StoredRecord record(String namespace, String key) {
        return found(namespace, key).orElseThrow();
    }

    Optional<StoredRecord> found(String namespace, String key) {
        return refrain.admin().find(new ScopedKey(SCOPE, namespace, key));
    }
}
