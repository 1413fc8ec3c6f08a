package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One key per intent, never twice. */
class KeysTest {

    private final AtomicLong millis = new AtomicLong(1_772_366_400_000L);
    private final UuidV7 uuids = new UuidV7(() -> Instant.ofEpochMilli(millis.get()), new Random(7));

    @Test
    void version_7_has_the_time_the_version_and_the_variant_in_their_places() {
        var uuid = uuids.next();

        assertThat(uuid.version()).isEqualTo(7);
        assertThat(uuid.variant()).isEqualTo(2);
        assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(millis.get());
    }

    @Test
    void each_is_greater_than_the_one_before_even_if_a_millisecond_makes_more_than_its_counter_holds() {
        assertGrowing(20_000, () -> {});
    }

    @Test
    void each_is_greater_than_the_one_before_when_the_clock_goes_back() {
        assertGrowing(100, () -> millis.addAndGet(-1_000));
    }

    @Test
    void the_time_goes_on_with_the_clock() {
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
    void threads_never_get_the_same() {
        var made = ConcurrentHashMap.<String>newKeySet();
        var keys = Keys.uuidV7();

        IntStream.range(0, 50_000).parallel().forEach(i -> made.add(keys.next()));

        assertThat(made).hasSize(50_000);
    }

    @Test
    void version_4_tells_nothing() {
        assertThat(UUID.fromString(Keys.uuidV4().next()).version()).isEqualTo(4);
    }
}
