package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Generated keys are unique. */
class IdempotencyKeyGeneratorTest {

    private final AtomicLong millis = new AtomicLong(1_772_366_400_000L);
    private final UuidV7Generator uuids = new UuidV7Generator(() -> Instant.ofEpochMilli(millis.get()), new Random(7));

    @Test
    void version7ContainsTimeVersionAndVariant() {
        var uuid = uuids.next();

        assertThat(uuid.version()).isEqualTo(7);
        assertThat(uuid.variant()).isEqualTo(2);
        assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(millis.get());
    }

    @Test
    void keysGrowWhenTheCounterOverflows() {
        assertGrowing(20_000, () -> {});
    }

    @Test
    void keysGrowWhenTheClockGoesBack() {
        assertGrowing(100, () -> millis.addAndGet(-1_000));
    }

    @Test
    void timeFollowsTheClock() {
        uuids.next();
        millis.addAndGet(5);

        assertThat(uuids.next().getMostSignificantBits() >>> 16).isEqualTo(millis.get());
    }

    private void assertGrowing(int times, Runnable between) {
        var last = uuids.next().toString();
        for (int i = 0; i < times; i++) {
            between.run();
            var next = uuids.next().toString();
            assertThat(next).isGreaterThan(last);
            last = next;
        }
    }

    @Test
    void threadsNeverGetTheSameKey() {
        var made = ConcurrentHashMap.<String>newKeySet();
        var keys = IdempotencyKeyGenerator.uuidV7();

        IntStream.range(0, 50_000).parallel().forEach(i -> made.add(keys.next()));

        assertThat(made).hasSize(50_000);
    }

    @Test
    void version4RevealsNoTime() {
        assertThat(UUID.fromString(IdempotencyKeyGenerator.uuidV4().next()).version())
                .isEqualTo(4);
    }
}
