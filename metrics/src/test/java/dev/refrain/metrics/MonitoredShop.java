package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseResult;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxTarget;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.reconcile.LedgerReader;
import dev.refrain.reconcile.Reconciler;
import dev.refrain.reconcile.ReconcilerSettings;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaRunner;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteDataSource;

/** Application with meters: orders as a flow, shipping as a saga, receipts by a relay, and a bank with a reconciled ledger. */
final class MonitoredShop implements AutoCloseable {

    private static final Duration SOON = Duration.ofMillis(10);
    private static final Duration PAUSE = Duration.ofHours(1);
    private static final ReconcilerSettings AT_ONCE =
            new ReconcilerSettings(Duration.ZERO, Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(7), 100);

    /** External system that a test can make fail. */
    volatile OutboxTarget receipts = delivery -> {};

    volatile boolean bankAway;
    volatile boolean bankForgets;
    volatile boolean broken;
    volatile boolean shipped = true;
    private final Map<String, Long> bank = new ConcurrentHashMap<>();

    private final Map<Class<?>, AtomicLong> heard = new ConcurrentHashMap<>();
    private final AtomicLong nanos = new AtomicLong();
    private final SQLiteDataSource file = new SQLiteDataSource();
    private final JdbcStore store;
    private final Refrain refrain;
    private final FlowRunner<Connection> flows;
    private final Refrain relaying;
    private final Relay relay;
    private final Outbox<Connection> outbox;

    private final Flow<String, String, Connection> orders = Flow.of("orders.create", String.class, String.class)
            .foreignCall(
                    "charge",
                    Downstream.honoursKeys(Duration.ofHours(24)),
                    LedgerEntryMapping.inLedger("bank", at -> 700),
                    Duration.ofSeconds(10),
                    call -> {
                        if (!bankForgets) {
                            bank.put(call.key(), 700L);
                        }
                        return "charged";
                    },
                    (tx, at, charge) -> PhaseResult.goTo("receipt"))
            .phase("receipt", (tx, at) -> {
                if (broken) {
                    throw new IllegalStateException("a bug");
                }
                stage(tx, "receipts");
                return PhaseResult.finish(201, "made");
            })
            .build();

    private final Saga<String, Connection> shipping = Saga.of("orders.ship", String.class)
            .job(
                    "print",
                    (tx, at) -> {},
                    (tx, at) -> shipped ? Optional.of("printed") : Optional.empty(),
                    (tx, at) -> {})
            .build();

    /** @param attempts the maximum attempts of the completer */
    MonitoredShop(Path folder, MeterRegistry meters, int attempts) {
        file.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
        store = JdbcStore.on(file);
        RefrainListener listener = new MicrometerListener(meters).and(this::hear);
        refrain = Refrain.using(store, RefrainSettings.defaults().with(listener));
        flows = FlowRunner.on(refrain, store.transactions()).withLedgers(store.ledger());
        outbox = Outbox.on(refrain, store.outbox());
        relaying = Refrain.using(
                store, RefrainSettings.defaults().with(refrain.listener()).with(hurried()));
        relay = Relay.on(relaying, store.outbox())
                .sendTo(
                        TopicSettings.of("receipts").maxConcurrent(1),
                        Downstream.honoursKeysForEver(),
                        delivery -> receipts.send(delivery))
                .start();
        flows.startCompleter(new CompleterSettings(SOON, Duration.ZERO, PAUSE, attempts, 4), List.of(orders));
        SagaRunner.on(flows).startOverdueMonitor(SOON, List.of(shipping));
        Reconciler.on(refrain, store.ledger()).schedule(SOON, "bank", this::page, AT_ONCE);
        // Queried on every scrape.
        new RecordGauges(refrain.admin()::unsettledCounts, RecordGauges.REFRESH_INTERVAL, this::later).bindTo(meters);
        new OutboxGauges(store.outboxBrowser(), RecordGauges.REFRESH_INTERVAL, this::later).bindTo(meters);
    }

    private long later() {
        return nanos.addAndGet(RecordGauges.REFRESH_INTERVAL.toNanos());
    }

    /** Long enough for a relay to measure its backlog several times. */
    private static ExecutionEnvironment hurried() {
        InvocationHandler quick = (proxy, method, arguments) ->
                method.getName().equals("schedule") && arguments[0].equals(Duration.ofSeconds(15))
                        ? ExecutionEnvironment.system().schedule(SOON, (Runnable) arguments[1])
                        : method.invoke(ExecutionEnvironment.system(), arguments);
        return (ExecutionEnvironment) Proxy.newProxyInstance(
                MonitoredShop.class.getClassLoader(), new Class<?>[] {ExecutionEnvironment.class}, quick);
    }

    private LedgerReader.LedgerPage page(Instant since, @Nullable String cursor, int limit) {
        if (bankAway) {
            throw new IllegalStateException("503");
        }
        return new LedgerReader.LedgerPage(
                bank.entrySet().stream()
                        .map(entry -> new ReportedLedgerEntry(entry.getKey(), entry.getKey(), entry.getValue()))
                        .toList(),
                Optional.empty());
    }

    private void hear(RefrainEvent event) {
        heard(event.getClass()).incrementAndGet();
    }

    /** Number of events of this type. */
    AtomicLong heard(Class<?> event) {
        return heard.computeIfAbsent(event, type -> new AtomicLong());
    }

    void order(String key) throws Exception {
        flows.runForResult(orders, FlowRequest.of(ClientKey.scope("").key(key), "a book"));
    }

    /** Leaves a flow abandoned long ago. */
    void abandon(String key) {
        broken = true;
        assertThatThrownBy(() -> order(key)).hasMessage("a bug");
        completeAbandoned();
    }

    /** Runs the completer now. */
    void completeAbandoned() {
        backdate("refrain_payload", "due_at", PAUSE.multipliedBy(2));
    }

    void ship(String id) throws Exception {
        SagaRunner.on(flows).runForResult(shipping, id, "a book");
    }

    void stage(String topic) throws Exception {
        try (var connection = file.getConnection()) {
            connection.setAutoCommit(false);
            stage(connection, topic);
            connection.commit();
        }
    }

    private void stage(Connection tx, String topic) {
        outbox.stage(tx, topic, "a receipt");
    }

    /** Moves a time in the database into the past. */
    void backdate(String table, String column, Duration time) {
        try (var connection = file.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("UPDATE " + table + " SET " + column + " = " + column + " - " + time.toMillis());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        relay.close();
        relaying.close();
        refrain.close();
        store.close();
    }
}
