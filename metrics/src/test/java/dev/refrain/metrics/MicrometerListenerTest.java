package dev.refrain.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class MicrometerListenerTest {

    @Test
    void firstRunsAndReplaysAreCountedApartAndNothingSecretIsATag() {
        var registry = new SimpleMeterRegistry();
        try (var refrain =
                Refrain.using(new MemoryStore(), Settings.standard().with(new MicrometerListener(registry)))) {
            var operation = refrain.operation("pay", String.class).leased(TakeOver.RESUME);
            for (int i = 0; i < 3; i++) {
                operation.run("secret-scope", "secret-key", "secret-body", claim -> "secret-answer");
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
}
