package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An outbox, a relay and a job queue encode and decode with the codec of the Refrain that they were made from. */
class RefrainCodecTest extends RelayFixture {

    record Order(String article, long amount) {}

    private static final Order BOOK = new Order("book", 700);

    @TempDir
    Path directory;

    private final MarkingCodec codec = new MarkingCodec();
    private Refrain marking;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(directory);
    }

    @BeforeEach
    void openMarking() {
        marking = Refrain.using(store, RefrainSettings.defaults().with(codec));
    }

    @AfterEach
    void closeMarking() {
        marking.close();
    }

    @Test
    void stagedValueIsEncodedAndGivenToHandlersAndTargetsByIt() throws Exception {
        var seen = new CopyOnWriteArrayList<Order>();
        transact(tx -> {
            for (String topic : List.of("handled", "sent")) {
                Outbox.on(marking, rows).stage(tx, topic, BOOK);
            }
        });
        assertThat(codec.encoded).containsExactly(BOOK, BOOK);

        started(Relay.on(marking, rows)
                .handle("handled", (tx, delivery) -> seen.add(delivery.bodyAs(Order.class)))
                .sendTo("sent", Downstream.notRetryable(), delivery -> seen.add(delivery.bodyAs(Order.class))));

        await().until(() -> seen.size() == 2);
        assertThat(seen).containsOnly(BOOK);
    }

    @Test
    void payloadAndResultOfJobAreEncodedByIt() throws Exception {
        var jobs = KeyedJobQueue.on(marking, store.transactions(), rows);
        KeyedJob<Order, Order, Connection> doubled = KeyedJob.transactional(
                "doubled", Order.class, Order.class, (tx, order) -> new Order(order.article(), 2 * order.amount()));
        var key = ClientKey.scope("shop").key("k");
        transact(tx -> jobs.enqueue(tx, doubled, key, BOOK));
        started(jobs.registerOn(Relay.on(marking, rows), doubled));

        await().until(() -> waiting(KeyedJobQueue.topic(doubled)) == 0);

        assertThat(jobs.result(doubled, key)).isEqualTo(new JobResult.Done<>(new Order("book", 1400)));
        assertThat(codec.encoded).contains(BOOK, new Order("book", 1400));
        assertThat(dead()).isEmpty();
    }

    interface Cart {}

    static final class Tick {}

    /** Each would be staged, and become a dead letter: one cannot be read, one cannot be told from another, the result of one is lost. */
    @Test
    void jobWhoseTypesCannotBeStoredOrComparedIsRefusedWhenItIsRegisteredAndBeforeItIsStaged() {
        var jobs = KeyedJobQueue.on(refrain, store.transactions(), rows);
        var key = ClientKey.scope("shop").key("k");
        var unread = KeyedJob.transactional("a", Cart.class, String.class, (tx, cart) -> "done");
        var alike = KeyedJob.transactional("b", Tick.class, String.class, (tx, tick) -> "done");
        var lost = KeyedJob.transactional("c", String.class, Cart.class, (tx, text) -> new Cart() {});

        assertThatThrownBy(() -> jobs.registerOn(Relay.on(refrain, rows), unread))
                .hasMessageStartingWith("Cannot run job a, whose payload is its request: ")
                .hasMessageContaining("Cart cannot be stored");
        assertThatThrownBy(() -> jobs.registerOn(Relay.on(refrain, rows), alike))
                .hasMessageStartingWith("Cannot run job b, whose payload is its request: ")
                .hasMessageContaining("Tick cannot be compared");
        assertThatThrownBy(() -> jobs.registerOn(Relay.on(refrain, rows), lost))
                .hasMessageStartingWith("Cannot run job c, whose result is stored: ")
                .hasMessageContaining("Cart cannot be stored");
        assertThatThrownBy(() -> transact(tx -> jobs.enqueue(tx, alike, key, new Tick())))
                .hasStackTraceContaining("Tick cannot be compared");
        assertThatThrownBy(() -> jobs.run(alike, key, new Tick())).hasMessageContaining("Tick cannot be compared");
    }
}
