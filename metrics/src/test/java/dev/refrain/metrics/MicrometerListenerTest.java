package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.memory.MemoryStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MicrometerListenerTest {

    @Test
    void firstRunsAndReplaysAreCountedSeparatelyWithoutSecretTags() {
        var registry = new SimpleMeterRegistry();
        try (var refrain =
                Refrain.using(new MemoryStore(), RefrainSettings.defaults().with(new MicrometerListener(registry)))) {
            var operation = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
            for (int i = 0; i < 3; i++) {
                operation.run(
                        OperationCall.scope("secret-scope").key("secret-key").request("secret-body"),
                        claim -> "secret-answer");
            }
        }

        assertThat(registry.get("refrain.claim")
                        .tags("operation", "pay", "result", "acquired")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.find("refrain.claim").tags("operation", "pay").timers().stream()
                        .mapToLong(timer -> timer.count())
                        .sum())
                .isEqualTo(3);
        assertThat(registry.get("refrain.run").tags("end", "completed").timer().count())
                .isEqualTo(1);
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .flatExtracting(Meter.Id::getTags)
                .extracting(Tag::getValue)
                .allSatisfy(value -> assertThat(value).doesNotContain("secret"));
    }

    @Test
    void flowAndLedgerEventsAreCounted() {
        var registry = new SimpleMeterRegistry();
        var listener = new MicrometerListener(registry);

        listener.onEvent(new RefrainEvent.Overdue("order.place", 2, Duration.ofMinutes(7)));
        listener.onEvent(new RefrainEvent.LedgerRead("bank", 500, 4, Duration.ofSeconds(1)));
        listener.onEvent(new RefrainEvent.LedgerReadFailed("bank", new IllegalStateException("503")));
        listener.onEvent(new RefrainEvent.LedgerFindingsOpened("bank", LedgerFinding.FindingKind.ONLY_THEIRS, 3));
        listener.onEvent(new RefrainEvent.LedgerFindingsClosed("bank", 1));

        assertThat(registry.get("refrain.trouble")
                        .tags("kind", "overdue")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("refrain.ledger.read").timer().count()).isEqualTo(1);
        assertThat(registry.get("refrain.ledger.entries").counter().count()).isEqualTo(500);
        assertThat(registry.get("refrain.ledger.unread").counter().count()).isEqualTo(1);
        assertThat(registry.get("refrain.ledger.found")
                        .tags("ledger", "bank", "kind", "only_theirs")
                        .counter()
                        .count())
                .isEqualTo(3);
        assertThat(registry.get("refrain.ledger.closed").counter().count()).isEqualTo(1);
        assertThat(registry.get("refrain.ledger.open").gauge().value()).isEqualTo(4);
        assertThat(registry.get("refrain.ledger.failing").gauge().value()).isEqualTo(1);

        listener.onEvent(new RefrainEvent.LedgerRead("bank", 500, 0, Duration.ofSeconds(1)));
        assertThat(registry.get("refrain.ledger.open").gauge().value()).isZero();
        assertThat(registry.get("refrain.ledger.failing").gauge().value()).isZero();
    }
}
