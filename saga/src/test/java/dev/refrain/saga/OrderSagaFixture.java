package dev.refrain.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.servers.FlowTestDatabase;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A shop with a stock, a bank and a carrier. A test says what happens at which place. */
abstract class OrderSagaFixture {

    record Order(String article, long amount) {}

    /** The process is gone. */
    static final class SimulatedCrash extends Error {
        static final long serialVersionUID = 1L;
    }

    @FunctionalInterface
    interface FaultAction {
        void happen() throws Exception;
    }

    /** Somebody else's books: what is there under which key, and what was taken back. */
    static final class FakeProvider {
        final Map<String, String> standing = new ConcurrentHashMap<>();
        final List<String> sent = new ArrayList<>();
        final List<String> takenBack = new ArrayList<>();

        synchronized String enter(String key) {
            sent.add(key);
            if (takenBack.contains(key)) {
                throw new StepFailedException("was taken back before it came");
            }
            return standing.computeIfAbsent(key, k -> "nr-" + (standing.size() + takenBack.size() + 1));
        }

        synchronized void takeBack(String key) {
            standing.remove(key);
            takenBack.add(key);
        }
    }

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration SOON = Duration.ofMillis(50);
    static final CompleterSettings QUICK = new CompleterSettings(SOON, SOON, Duration.ofMillis(600), 50, 4);
    static final int STOCK = 100;

    final FakeProvider bank = new FakeProvider();
    final List<String> refundKeys = new CopyOnWriteArrayList<>();
    final FakeProvider carrier = new FakeProvider();
    final Map<String, FaultAction> incidents = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<RefrainEvent> events = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private FlowTestDatabase database;
    Refrain refrain;
    FlowRunner<Connection> flows;
    SagaRunner<Connection> sagas;

    abstract FlowTestDatabase database();

    final void endRetentions() throws SQLException {
        database.endRetentions();
    }

    final void makeDue() throws SQLException {
        database.makeDue();
    }

    @BeforeEach
    final void open() throws Exception {
        database = database();
        try (var connection = database.source().getConnection()) {
            execute(connection, "CREATE TABLE stock (article VARCHAR(20), available INTEGER)");
            execute(connection, "CREATE TABLE reserved (id VARCHAR(60))");
            execute(connection, "CREATE TABLE jobs (id VARCHAR(60), result VARCHAR(60))");
            execute(connection, "INSERT INTO stock VALUES ('book', " + STOCK + "), ('unicorn', 0)");
        }
        flows = instance();
        refrain = flows.refrain();
        sagas = SagaRunner.on(flows);
    }

    @AfterEach
    final void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        database.close();
    }

    final DataSource source() {
        return database.source();
    }

    final OutboxStore<Connection> outbox() {
        return ((JdbcStore) flows.transactions().store()).outbox();
    }

    final KeyedJobQueue<Connection> jobs() {
        return KeyedJobQueue.on(refrain, flows.transactions(), outbox());
    }

    /** One more instance of the application. */
    final FlowRunner<Connection> instance() {
        var store = JdbcStore.on(database.source());
        var instance = Refrain.using(store, RefrainSettings.defaults().with(events::add));
        opened.add(store);
        opened.add(instance);
        return FlowRunner.on(instance, store.transactions());
    }

    final void at(String place) throws Exception {
        var incident = incidents.get(place);
        if (incident != null) {
            incident.happen();
        }
    }

    final void once(String place, FaultAction incident) {
        incidents.put(place, () -> {
            incidents.remove(place);
            incident.happen();
        });
    }

    final void always(String place, String why) {
        incidents.put(place, () -> {
            throw new IllegalStateException(why);
        });
    }

    final Saga.Builder<Order, Connection> building(Downstream<ForeignCall<Order>, String> charging) {
        return Saga.of("order.place", Order.class)
                .retries(2, Duration.ofMillis(1))
                .compensationRetries(2, Duration.ofMillis(1))
                .callTimeout(Duration.ofSeconds(10))
                .step("reserve", this::reserve, this::putBack)
                .foreignCall(
                        "charge",
                        charging,
                        call -> {
                            at("charge.before");
                            String charge = bank.enter(call.key());
                            at("charge.after");
                            return charge;
                        },
                        call -> {
                            refundKeys.add(call.key());
                            at("refund.before");
                            bank.takeBack(call.stepKey());
                            at("refund.after");
                        })
                .foreignCall(
                        "ship",
                        Downstream.queryable(call -> Optional.ofNullable(carrier.standing.get(call.key()))),
                        call -> {
                            at("ship.before");
                            String shipment = carrier.enter(call.key());
                            at("ship.after");
                            return shipment;
                        },
                        call -> {
                            at("cancel.before");
                            carrier.takeBack(call.stepKey());
                            at("cancel.after");
                        });
    }

    final Saga<Order, Connection> placing() {
        return building(Downstream.honoursKeys(Duration.ofHours(24))).build();
    }

    final String reserve(Connection tx, SagaStepContext<Order> at) throws Exception {
        at("reserve.before");
        int taken = execute(
                tx,
                "UPDATE stock SET available = available - 1 WHERE article = ? AND available > 0",
                at.request().article());
        if (taken == 0) {
            throw new StepFailedException("out of stock");
        }
        execute(tx, "INSERT INTO reserved VALUES (?)", at.key());
        at("reserve.after");
        return at.key();
    }

    final void putBack(Connection tx, CompensationContext<Order> at) throws Exception {
        at("putback.before");
        execute(tx, "DELETE FROM reserved WHERE id = ?", at.result("reserve", String.class));
        execute(
                tx,
                "UPDATE stock SET available = available + 1 WHERE article = ?",
                at.request().article());
        at("putback.after");
    }

    final SagaResult place(Saga<Order, Connection> saga, String id) throws Exception {
        return sagas.runForResult(saga, FlowRequest.of(ClientKey.scope("shop").key(id), new Order("book", 700)), LEASE);
    }

    static int execute(Connection connection, String sql, String... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    final long count(String what) throws SQLException {
        try (var connection = database.source().getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT " + what)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** That many orders were placed, and nothing is left of any other. */
    final void standing(int orders) throws SQLException {
        assertThat(count("count(*) FROM reserved")).isEqualTo(orders);
        assertThat(count("available FROM stock WHERE article = 'book'")).isEqualTo(STOCK - orders);
        assertThat(bank.standing).hasSize(orders);
        assertThat(carrier.standing).hasSize(orders);
    }
}
