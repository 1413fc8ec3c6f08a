package dev.refrain.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ClientKey;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.servers.FlowTestDatabase;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A saga's request and the results of its steps are encoded by the codec of the Refrain that its runner was made from. */
class SagaCodecTest {

    record Order(String article, long amount) {}

    record Reservation(String number) {}

    @TempDir
    Path directory;

    @Test
    void codecOfRefrainIsUsed() throws Exception {
        var codec = new MarkingCodec();
        try (var database = FlowTestDatabase.sqlite(directory);
                var store = JdbcStore.on(database.source());
                var refrain = Refrain.using(store, RefrainSettings.defaults().with(codec))) {
            var sagas = SagaRunner.on(FlowRunner.on(refrain, store.transactions()));
            Saga<Order, Connection> saga = Saga.of("order.place", Order.class)
                    .step("reserve", (tx, at) -> new Reservation(at.request().article()), (tx, at) -> {})
                    .step("confirm", (tx, at) -> at.result("reserve", Reservation.class), (tx, at) -> {})
                    .build();
            var request = FlowRequest.of(ClientKey.scope("shop").key("k"), new Order("book", 700));
            for (int run = 0; run < 2; run++) {
                assertThat(sagas.runForResult(saga, request))
                        .isInstanceOfSatisfying(
                                SagaResult.Completed.class,
                                done -> assertThat(done.result("confirm", Reservation.class))
                                        .isEqualTo(new Reservation("book")));
            }
            assertThat(codec.encoded).contains(new Order("book", 700), new Reservation("book"));
        }
    }

    interface Cart {}

    /** An interface is written, and no completer could read it. */
    @Test
    void requestThatCannotBeReadBackIsRefusedWhenTheCompleterStartsAndBeforeAnyStep() {
        try (var database = FlowTestDatabase.sqlite(directory);
                var store = JdbcStore.on(database.source());
                var refrain = Refrain.using(store)) {
            var flows = FlowRunner.on(refrain, store.transactions());
            var ran = new AtomicBoolean();
            Saga<Cart, Connection> saga = Saga.of("order.place", Cart.class)
                    .step("reserve", (tx, at) -> ran.getAndSet(true))
                    .build();

            assertThatThrownBy(() -> flows.startCompleter(List.of(saga.asFlow())))
                    .hasMessageStartingWith("Cannot run order.place, whose request is stored: ")
                    .hasMessageContaining("Cart cannot be stored");
            assertThatThrownBy(() -> SagaRunner.on(flows).run(saga, "order-1", new Cart() {}))
                    .hasMessageContaining("Cart cannot be stored");
            assertThat(ran).isFalse();
        }
    }
}
