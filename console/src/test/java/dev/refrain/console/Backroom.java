package dev.refrain.console;

import static org.awaitility.Awaitility.await;

import dev.refrain.Environment;
import dev.refrain.Refrain;
import dev.refrain.flow.Flows;
import dev.refrain.flow.outbox.Relay;
import dev.refrain.flow.outbox.Topic;
import dev.refrain.flow.saga.Saga;
import dev.refrain.flow.saga.SagaResult;
import dev.refrain.flow.saga.Sagas;
import dev.refrain.flow.saga.StepFailedException;
import dev.refrain.outcome.Payload;
import dev.refrain.run.PutOffException;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Settlement.Cause;
import dev.refrain.store.outbox.Staged;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;

/** What goes on behind the shop: messages to others, and orders in several steps. */
final class Backroom {

    /** What is asked says how it goes: fine, refused, stuck, later. */
    final Saga<String, Connection> place = Saga.of("order.place", String.class)
            .retries(1, Duration.ZERO)
            .compensationRetries(1, Duration.ZERO)
            .step("reserve", (tx, at) -> "shelf 7", (tx, at) -> {
                if (at.request().equals("stuck")) {
                    throw new StepFailedException("the shelf is gone");
                }
            })
            .step(
                    "charge",
                    (tx, at) -> switch (at.request()) {
                        case "refused", "stuck" -> throw new StepFailedException("the card is refused");
                        case "later" -> throw new PutOffException("the bank is closed", Duration.ofHours(1));
                        default -> "charged";
                    },
                    (tx, at) -> {})
            .step("ship", (tx, at) -> "shipped")
            .build();

    final Sagas<Connection> sagas;
    private final JdbcStore store;
    private final DataSource source;

    Backroom(Refrain refrain, JdbcStore store, DataSource source) {
        this.sagas = Sagas.on(Flows.on(refrain, store.transactions()));
        this.store = store;
        this.source = source;
    }

    Section section() {
        return new SagaSection<>(sagas, List.of(place));
    }

    /** One that is put off has no result. */
    Optional<SagaResult> order(String id, String how) {
        try {
            return Optional.of(sagas.run(place, id, how));
        } catch (PutOffException later) {
            return Optional.empty();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    UUID staged(String topic, String body) {
        var id = Environment.system().newNonce();
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            store.outbox()
                    .stage(
                            connection,
                            new Staged(id, topic, Optional.empty(), Payload.of(body.getBytes(StandardCharsets.UTF_8))));
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return id;
    }

    /** By a relay that the console's numbers hear of. */
    void deliver(String topic, int messages, Live live) {
        for (int i = 0; i < messages; i++) {
            staged(topic, "{}");
        }
        try (var relay = Relay.on(store.outbox())
                .handle(Topic.of(topic), (tx, delivery) -> {})
                .listener(live)
                .start()) {
            await().until(() -> live.of(Live.Count.DELIVERED).total() >= messages);
        }
    }

    /** Fails whatever waits in the topic. */
    void failing(String topic, String why) {
        settle(topic, taken -> new Settlement.Failed(taken.row(), Duration.ofMinutes(5), why));
    }

    UUID dead(String topic, String body, Cause cause, String why) {
        var id = staged(topic, body);
        settle(topic, taken -> new Settlement.Dead(taken.row(), cause, 0, why));
        return id;
    }

    private void settle(String topic, Function<Taken, Settlement> ending) {
        var taken = store.outbox().leaseMessages(new TakeOrder(topic, Duration.ofMinutes(5), 1_000, 1_000, Long.MAX_VALUE));
        store.outbox().settle(taken.stream().map(ending).toList());
    }
}
