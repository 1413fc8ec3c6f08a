package dev.refrain.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relays on a machine that is too slow for their leases: no message becomes a dead letter because of that. */
class SlowRelayTest extends RelayFixture {

    @TempDir
    private Path folder;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(folder);
    }

    @Test
    void settlementAfterTheLeaseHoldsAsLongAsNoOtherRelayHasTheMessage() throws Exception {
        stage("t", "a");
        var topic = TopicSettings.of("t");
        var settlements = new SettlementFactory(topic, refrain.environment());
        var writer = new SettlementWriter(topic, rows, refrain.environment(), events::add);
        for (int i = 0; i < 3; i++) {
            var taken = takenByOneThatDies("t").getFirst();
            letPass(LEASE.plusSeconds(1));
            long leaseEnd = refrain.environment().nanoTime() - 1;
            writer.add(new PendingSettlement(taken, settlements.notAttempted(taken), leaseEnd));
            writer.settle();
        }

        assertThat(takenByOneThatDies("t").getFirst().attempts())
                .as("what was not attempted does not count")
                .isEqualTo(1);
    }

    @Test
    void relayThatIsTooSlowForItsLeaseLeasesFewerMessages() throws Exception {
        var dispatcher = new HandlerDispatcher<>(TopicSettings.of("t"), rows, (tx, delivery) -> {}, refrain);
        int before = dispatcher.rowsToLease(1);
        var late = new LateCallback();
        dispatcher.deliver(List.of(), late);
        dispatcher.deliver(List.of(), late);
        assertThat(dispatcher.rowsToLease(1)).isEqualTo(before / 4);
        assertThat(dispatcher.maxRowsPerLane()).isEqualTo(before / 4);
        for (int i = 0; i < 20; i++) {
            dispatcher.deliver(List.of(), late);
        }
        assertThat(dispatcher.rowsToLease(1)).isEqualTo(1);

        late.leaseIsOver = false;
        for (int i = 0; i < 20; i++) {
            dispatcher.deliver(List.of(), late);
        }
        assertThat(dispatcher.rowsToLease(1)).isEqualTo(before);
    }

    /** Callback of a batch whose lease is over. */
    private static final class LateCallback implements MessageDispatcher.DeliveryCallback {

        private boolean leaseIsOver = true;

        @Override
        public boolean mayDeliver() {
            return !leaseIsOver;
        }

        @Override
        public void settle(LeasedMessage taken, MessageSettlement settlement) {}

        @Override
        public void settled(LeasedMessage taken, MessageSettlement settlement) {}

        @Override
        public void reached() {}

        @Override
        public Duration unreachable() {
            return Duration.ZERO;
        }
    }
}
