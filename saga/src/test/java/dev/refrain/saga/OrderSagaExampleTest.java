package dev.refrain.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.api.Downstream;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.flow.FlowRunner;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The example of docs/sagas.md: reserve, charge, ship. */
class OrderSagaExampleTest {

    record OrderRequest(String article, int quantity, long amount) {}

    record Reservation(String id, int quantity) {}

    record Charge(String id, long amount) {}

    record Shipment(String trackingId) {}

    private final Stock stock = new Stock();
    private final Bank bank = new Bank();
    private final Carrier carrier = new Carrier();

    private final Saga<OrderRequest, Connection> place = Saga.of("order.place", OrderRequest.class)
            .step(
                    "reserve",
                    (tx, at) -> stock.reserve(tx, at.request(), at.key()),
                    (tx, at) -> stock.release(tx, at.result("reserve", Reservation.class)))
            .foreignCall(
                    "charge",
                    Downstream.honoursKeys(Duration.ofHours(24)),
                    call -> bank.charge(call.request().amount(), call.key()),
                    call -> bank.refund(call.stepKey(), call.key()))
            .foreignCall(
                    "ship",
                    Downstream.queryable(call -> carrier.find(call.key())),
                    call -> carrier.ship(call.request().article(), call.key()),
                    call -> carrier.cancel(call.stepKey()))
            .build();

    @Test
    void orderIsPlacedOrNothingIsLeftOfIt(@TempDir Path directory) throws Exception {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        stock.open(source.getConnection());
        try (var store = JdbcStore.on(source);
                var refrain = Refrain.using(store)) {
            var flows = FlowRunner.on(refrain, store.transactions());
            flows.startCompleter(List.of(place.asFlow()));
            var sagas = SagaRunner.on(flows);

            var order = new OrderRequest("book", 2, 3000);
            var placed = sagas.run(place, "order-1", order);
            assertThat(placed.result("ship", Shipment.class)).isEqualTo(new Shipment("parcel-of-book"));
            assertThat(sagas.runForResult(place, "order-1", order)).isInstanceOf(SagaResult.Completed.class);

            assertThat(sagas.runForResult(place, "order-2", new OrderRequest("book", 2, 3000)))
                    .isEqualTo(new SagaResult.Compensated(
                            new StepFailure("reserve", "out of stock", false), List.of(), Map.of()));
            assertThat(sagas.runForResult(place, "order-3", new OrderRequest("book", 1, 1_000_000)))
                    .isEqualTo(new SagaResult.Compensated(
                            new StepFailure("charge", "card declined", false), List.of("reserve"), Map.of()));
            assertThatThrownBy(() -> sagas.run(place, "order-3", new OrderRequest("book", 1, 1_000_000)))
                    .isInstanceOf(SagaCompensatedException.class)
                    .hasMessageContaining("charge")
                    .hasMessageContaining("card declined");
            assertThatThrownBy(() -> sagas.run(place, "order-1", new OrderRequest("book", 7, 1)))
                    .isInstanceOf(RequestMismatchException.class);
            assertThat(sagas.runForResult(place, "order-4", new OrderRequest("book", 1, 1500)))
                    .isInstanceOf(SagaResult.Completed.class);
        }
        assertThat(bank.charges).hasSize(2);
        assertThat(carrier.shipments).hasSize(2);
    }

    /** Three books. */
    private static final class Stock {

        void open(Connection connection) throws SQLException {
            try (connection;
                    var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE stock (article TEXT PRIMARY KEY, available INTEGER NOT NULL)");
                statement.execute("CREATE TABLE reservations (id TEXT PRIMARY KEY, article TEXT, quantity INTEGER)");
                statement.execute("INSERT INTO stock VALUES ('book', 3)");
            }
        }

        Reservation reserve(Connection tx, OrderRequest order, String key) throws SQLException {
            try (var take = tx.prepareStatement(
                            "UPDATE stock SET available = available - ? WHERE article = ? AND available >= ?");
                    var note = tx.prepareStatement("INSERT INTO reservations VALUES (?, ?, ?)")) {
                take.setInt(1, order.quantity());
                take.setString(2, order.article());
                take.setInt(3, order.quantity());
                if (take.executeUpdate() == 0) {
                    throw new StepFailedException("out of stock");
                }
                note.setString(1, key);
                note.setString(2, order.article());
                note.setInt(3, order.quantity());
                note.executeUpdate();
                return new Reservation(key, order.quantity());
            }
        }

        void release(Connection tx, Reservation reservation) throws SQLException {
            try (var giveBack = tx.prepareStatement("UPDATE stock SET available = available + ? WHERE article ="
                            + " (SELECT article FROM reservations WHERE id = ?)");
                    var forget = tx.prepareStatement("DELETE FROM reservations WHERE id = ?")) {
                giveBack.setInt(1, reservation.quantity());
                giveBack.setString(2, reservation.id());
                giveBack.executeUpdate();
                forget.setString(1, reservation.id());
                forget.executeUpdate();
            }
        }
    }

    /** Acts once for a key. */
    private static final class Bank {
        final Map<String, Charge> charges = new ConcurrentHashMap<>();

        Charge charge(long amount, String key) {
            if (amount > 100_000) {
                throw new StepFailedException("card declined");
            }
            return charges.computeIfAbsent(key, k -> new Charge("ch-" + k, amount));
        }

        /** Nothing to refund is fine: then the charge never came. */
        void refund(String chargeKey, String refundKey) {
            charges.remove(chargeKey);
        }
    }

    /** Can be asked. */
    private static final class Carrier {
        final Map<String, Shipment> shipments = new ConcurrentHashMap<>();

        Shipment ship(String article, String key) {
            return shipments.computeIfAbsent(key, k -> new Shipment("parcel-of-" + article));
        }

        Optional<Shipment> find(String key) {
            return Optional.ofNullable(shipments.get(key));
        }

        void cancel(String key) {
            shipments.remove(key);
        }
    }
}
