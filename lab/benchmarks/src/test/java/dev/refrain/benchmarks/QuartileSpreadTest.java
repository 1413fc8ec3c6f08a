package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuartileSpreadTest {

    @Test
    void quartilesLieBetweenTheNumbers() {
        assertThat(QuartileSpread.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new QuartileSpread(1.75, 2.5, 3.25));
        assertThat(QuartileSpread.of(List.of(4.0, 1.0, 3.0, 2.0)).interquartileRange())
                .isEqualTo(1.5);
    }

    @Test
    void oneNumberIsItsOwnMiddle() {
        assertThat(QuartileSpread.of(List.of(7.0))).isEqualTo(QuartileSpread.single(7));
    }
}
