package dev.refrain.console;

import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.FlowRunner;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaResult;
import dev.refrain.saga.SagaRunner;
import dev.refrain.saga.StepFailedException;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;

/** Outbox messages and sagas of a shop. */
final class OutboxAndSagaFixture {

    /** Saga whose input selects its course: fine, refused, stuck, later. */
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
                        case "later" -> throw new RetryLaterException("the bank is closed", Duration.ofHours(1));
                        default -> "charged";
                    },
                    (tx, at) -> {})
            .step("ship", (tx, at) -> "shipped")
            .build();

    final SagaRunner<Connection> sagas;
    private final JdbcStore store;
    private final DataSource source;

    OutboxAndSagaFixture(Refrain refrain, JdbcStore store, DataSource source) {
        this.sagas = SagaRunner.on(FlowRunner.on(refrain, store.transactions()));
        this.store = store;
        this.source = source;
    }

    ConsoleSection section() {
        return new SagaSection<>(sagas, List.of(place));
    }

    /** Runs the saga; a delayed one has no result. */
    Optional<SagaResult> order(String id, String how) {
        try {
            return Optional.of(sagas.runForResult(place, id, how));
        } catch (RetryLaterException later) {
            return Optional.empty();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Moves a delayed saga to ATTENTION, as a completer does after its last attempt. */
    void giveUp(String id) {
        var identity = new ScopedKey("", place.namespace(), id);
        var found = store.find(List.of(identity)).getFirst().orElseThrow();
        var claimed = store.claim(List.of(ClaimRequest.of(
                identity,
                found.fingerprint().orElseThrow(),
                ExecutionEnvironment.system().newNonce(),
                Duration.ofMinutes(5),
                LeaseExpiryPolicy.RESUME,
                Retention.of(Duration.ofDays(7)))));
        var claim = ((ClaimResponse.Acquired) claimed.getFirst()).record().claim();
        store.write(List.of(new RecordWrite.Escalate(claim, "It never came to an end.")));
    }

    UUID staged(String topic, String body) {
        var id = ExecutionEnvironment.system().newNonce();
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            store.outbox()
                    .stage(
                            connection,
                            new StagedMessage(id, topic, null, Payload.of(body.getBytes(StandardCharsets.UTF_8))));
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return id;
    }

    /** Delivers the topic with a relay that reports to the console's listener. */
    void deliver(String topic, int messages, LiveActivityListener live) {
        for (int i = 0; i < messages; i++) {
            staged(topic, "{}");
        }
        try (var instance = Refrain.using(store, RefrainSettings.defaults().with(live));
                var relay = Relay.on(instance, store.outbox())
                        .handle(TopicSettings.of(topic), (tx, delivery) -> {})
                        .start()) {
            await().until(() ->
                    live.of(LiveActivityListener.ActivityKind.DELIVERED).total() >= messages);
        }
    }

    /** Fails all waiting messages of the topic. */
    void failing(String topic, String why) {
        settle(topic, taken -> new MessageSettlement.Failed(taken.row(), Duration.ofMinutes(5), why));
    }

    UUID dead(String topic, String body, Cause cause, String why) {
        var id = staged(topic, body);
        settle(topic, taken -> new MessageSettlement.Dead(taken.row(), cause, 0, why));
        return id;
    }

    private void settle(String topic, Function<LeasedMessage, MessageSettlement> ending) {
        var taken = store.outbox()
                .leaseMessages(new MessageLeaseRequest(topic, Duration.ofMinutes(5), 1_000, 1_000, Long.MAX_VALUE));
        store.outbox().settle(taken.stream().map(ending).toList());
    }
}
