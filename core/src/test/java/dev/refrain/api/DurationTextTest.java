package dev.refrain.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT24H, 24 h",
        "P3D, 72 h",
        "PT90M, 90 min",
        "PT30S, 30 s",
        "PT1M30S, 90 s",
        "PT0.25S, 250 ms",
        "PT1.5S, 1500 ms",
        "PT0.0000005S, 500 ns",
        "PT0S, 0 s",
        "PT-1S, -1 s",
        "PT-0.25S, -250 ms"
    })
    void durationIsWrittenInTheLargestUnitThatFits(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }
}
