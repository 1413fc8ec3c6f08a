package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.servers.FlowTestDatabase;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A shop whose orders are a flow: an order, a charge at the bank, a receipt. A test stops it where it wants. */
abstract class OrderFlowFixture {

    record OrderRequest(String article, long amount) {}

    record Receipt(String order, String charge) {}

    /** Somebody else's ledger. */
    static final class Bank {
        final Map<String, String> byKey = new ConcurrentHashMap<>();
        final List<String> keys = new ArrayList<>();
        final AtomicInteger charges = new AtomicInteger();
        boolean honours = true;

        synchronized String charge(String key, long amount) {
            keys.add(key);
            if (honours && byKey.containsKey(key)) {
                return byKey.get(key);
            }
            String id = amount > 1000 ? "declined" : "ch_" + charges.incrementAndGet();
            byKey.put(key, id);
            return id;
        }
    }

    /** Thrown where a test wants the run to end. */
    static final class InjectedFailure extends RuntimeException {
        static final long serialVersionUID = 1L;
    }

    final Bank bank = new Bank();
    final AtomicReference<Runnable> beforeSend = new AtomicReference<>(() -> {});
    final AtomicReference<Runnable> afterSend = new AtomicReference<>(() -> {});
    final AtomicReference<Runnable> inReceipt = new AtomicReference<>(() -> {});
    DataSource source;
    JdbcStore store;
    Refrain refrain;
    FlowRunner<Connection> flows;

    FlowTestDatabase database;

    abstract FlowTestDatabase database();

    @BeforeEach
    final void open() throws Exception {
        database = database();
        source = database.source();
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id VARCHAR(50), article VARCHAR(50), charge VARCHAR(50))");
            statement.execute("CREATE TABLE receipts (id VARCHAR(50))");
        }
        store = JdbcStore.on(source);
        refrain = Refrain.using(store);
        flows = FlowRunner.on(refrain, store.transactions());
    }

    @AfterEach
    final void close() {
        refrain.close();
        store.close();
        database.close();
    }

    Flow.Builder<OrderRequest, Object, Connection> builder(Downstream<ForeignCall<OrderRequest>, String> downstream) {
        return Flow.of("orders.create", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    String id = "order-" + at.recordId().value();
                    execute(
                            tx,
                            "INSERT INTO orders VALUES (?, ?, NULL)",
                            id,
                            at.request().article());
                    return PhaseResult.goTo("ordered", id);
                })
                .foreignCall(
                        "ordered",
                        downstream,
                        Duration.ofSeconds(5),
                        call -> {
                            beforeSend.get().run();
                            String charge =
                                    bank.charge(call.key(), call.request().amount());
                            afterSend.get().run();
                            return charge;
                        },
                        (tx, at, charge) -> {
                            if (charge.equals("declined")) {
                                return PhaseResult.fail(402, "declined");
                            }
                            execute(
                                    tx,
                                    "UPDATE orders SET charge = ? WHERE id = ?",
                                    charge,
                                    at.carriedValue(String.class));
                            return PhaseResult.goTo("charged", new Receipt(at.carriedValue(String.class), charge));
                        })
                .phase("charged", (tx, at) -> {
                    execute(
                            tx,
                            "INSERT INTO receipts VALUES (?)",
                            at.recordId().value().toString());
                    inReceipt.get().run();
                    return PhaseResult.finish(201, at.carriedValue(Receipt.class));
                });
    }

    Flow<OrderRequest, Object, Connection> orders() {
        return builder(Downstream.honoursKeys(Duration.ofHours(24))).build();
    }

    static void execute(Connection tx, String sql, String... values) throws SQLException {
        try (var statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    long count(String rows) throws SQLException {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT count(*) FROM " + rows)) {
            result.next();
            return result.getLong(1);
        }
    }

    static FlowRequest<OrderRequest> request(String key) {
        return FlowRequest.of(ClientKey.scope("shop").key(key), new OrderRequest("book", 700));
    }

    static String body(OperationResult result) {
        var answer = switch (result) {
            case OperationResult.Ran ran -> ran.answer();
            case OperationResult.Replayed replayed -> (Outcome.Answer) replayed.outcome();
            default -> throw new AssertionError(result);
        };
        return answer.status() + " " + new String(answer.body().bytes(), StandardCharsets.UTF_8);
    }

    void oneOfEach() throws SQLException {
        assertThat(count("orders")).isEqualTo(1);
        assertThat(count("receipts")).isEqualTo(1);
        assertThat(bank.charges).hasValue(1);
        assertThat(bank.keys).containsOnly(bank.keys.getFirst());
    }
}
