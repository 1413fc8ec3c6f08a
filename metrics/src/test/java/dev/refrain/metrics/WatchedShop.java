package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Environment;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.flow.Completion;
import dev.refrain.flow.Downstream;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.Flows;
import dev.refrain.flow.Next;
import dev.refrain.flow.Seen;
import dev.refrain.flow.outbox.Outbox;
import dev.refrain.flow.outbox.Relay;
import dev.refrain.flow.outbox.Target;
import dev.refrain.flow.outbox.Topic;
import dev.refrain.flow.reconcile.Ledger;
import dev.refrain.flow.reconcile.Reconciler;
import dev.refrain.flow.reconcile.Reconciling;
import dev.refrain.flow.saga.Saga;
import dev.refrain.flow.saga.Sagas;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.ledger.TheirEntry;
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
import org.sqlite.SQLiteDataSource;

/** An application with orders as a flow, shipping as a saga, receipts by a relay and a bank whose ledger is compared; and its meters. */
final class WatchedShop implements AutoCloseable {

    private static final Duration SOON = Duration.ofMillis(10);
    private static final Duration PAUSE = Duration.ofHours(1);
    private static final Reconciling AT_ONCE =
            new Reconciling(Duration.ZERO, Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(7), 100);

    /** What somebody else does: a test has it fail. */
    volatile Target receipts = delivery -> {};

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
    private final Flows<Connection> flows;
    private final Relay relay;
    private final Outbox<Connection> outbox;

    private final Flow<String, Connection> orders = Flow.of("orders.create", String.class)
            .foreignCall(
                    "charge",
                    Downstream.honoursKeys(Duration.ofHours(24)),
                    Seen.inLedger("bank", at -> 700),
                    Duration.ofSeconds(10),
                    call -> {
                        if (!bankForgets) {
                            bank.put(call.key(), 700L);
                        }
                        return "charged";
                    },
                    (tx, at, charge) -> Next.goTo("receipt"))
            .phase("receipt", (tx, at) -> {
                if (broken) {
                    throw new IllegalStateException("a bug");
                }
                stage(tx, "receipts");
                return Next.finish(201, "made");
            })
            .build();

    private final Saga<String, Connection> shipping = Saga.of("orders.ship", String.class)
            .job(
                    "print",
                    (tx, at) -> {},
                    (tx, at) -> shipped ? Optional.of("printed") : Optional.empty(),
                    (tx, at) -> {})
            .build();

    /** @param attempts of the completer */
    WatchedShop(Path folder, MeterRegistry meters, int attempts) {
        file.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
        store = JdbcStore.on(file);
        Listener listener = new MicrometerListener(meters).and(this::hear);
        refrain = Refrain.using(store, Settings.defaults().with(listener));
        flows = Flows.on(refrain, store.transactions()).withLedgers(store.ledger());
        outbox = Outbox.on(store.outbox());
        relay = Relay.on(store.outbox())
                .listener(refrain.listener())
                .environment(hurried())
                .sendTo(
                        Topic.of("receipts").maxConcurrent(1),
                        Downstream.honoursKeysForEver(),
                        delivery -> receipts.send(delivery))
                .start();
        flows.startCompleter(new Completion(SOON, Duration.ZERO, PAUSE, attempts, 4), List.of(orders));
        Sagas.on(flows).startOverdueMonitor(SOON, List.of(shipping));
        Reconciler.on(refrain, store.ledger()).schedule(SOON, "bank", this::page, AT_ONCE);
        // Asked anew with every scrape.
        new CensusGauges(refrain.admin()::unsettledCounts, CensusGauges.REFRESH_INTERVAL, this::later).bindTo(meters);
        new OutboxGauges(store.outboxBrowser(), CensusGauges.REFRESH_INTERVAL, this::later).bindTo(meters);
    }

    private long later() {
        return nanos.addAndGet(CensusGauges.REFRESH_INTERVAL.toNanos());
    }

    /** In which a relay counts what waits many times a second. */
    private static Environment hurried() {
        InvocationHandler quick = (proxy, method, arguments) ->
                method.getName().equals("after") && arguments[0].equals(Duration.ofSeconds(15))
                        ? Environment.system().schedule(SOON, (Runnable) arguments[1])
                        : method.invoke(Environment.system(), arguments);
        return (Environment)
                Proxy.newProxyInstance(WatchedShop.class.getClassLoader(), new Class<?>[] {Environment.class}, quick);
    }

    private Ledger.Page page(Instant since, Optional<String> cursor, int limit) {
        if (bankAway) {
            throw new IllegalStateException("503");
        }
        return new Ledger.Page(
                bank.entrySet().stream()
                        .map(entry -> new TheirEntry(entry.getKey(), entry.getKey(), entry.getValue()))
                        .toList(),
                Optional.empty());
    }

    private void hear(Event event) {
        heard(event.getClass()).incrementAndGet();
    }

    /** How often such a thing happened. */
    AtomicLong heard(Class<?> event) {
        return heard.computeIfAbsent(event, type -> new AtomicLong());
    }

    void order(String key) throws Exception {
        flows.run(orders, FlowRequest.of("", key, "a book"));
    }

    /** Its caller gives it up, long ago. */
    void abandon(String key) {
        broken = true;
        assertThatThrownBy(() -> order(key)).hasMessage("a bug");
        completeAbandoned();
    }

    /** What was left is taken up now. */
    void completeAbandoned() {
        backdate("refrain_payload", "due_at", PAUSE.multipliedBy(2));
    }

    void ship(String id) throws Exception {
        Sagas.on(flows).run(shipping, id, "a book");
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

    /** As if it had been so for that long. */
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
        refrain.close();
        store.close();
    }
}
