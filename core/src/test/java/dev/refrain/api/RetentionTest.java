package dev.refrain.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "P3661D"})
    void retentionThatMakesNoSenseIsRefused(String time) {
        assertThatThrownBy(() -> Retention.of(Duration.parse(time)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("retention must be more than 0 and at most 3660 days, or for ever");
    }

    @Test
    void forEverIsNeverShorterThanAnything() {
        assertThat(Retention.FOREVER.isShorterThan(Duration.ofDays(100_000))).isFalse();
        assertThat(Retention.of(Duration.ofHours(1)).isShorterThan(Duration.ofHours(2)))
                .isTrue();
        assertThat(Retention.of(Duration.ofHours(2)).isShorterThan(Duration.ofHours(2)))
                .isFalse();
    }
}
