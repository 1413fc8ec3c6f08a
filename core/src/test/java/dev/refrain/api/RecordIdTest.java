package dev.refrain.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.KeyRules;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIdTest {

    private static final RecordId ID = new RecordId(UUID.fromString("0195f0c8-7a3e-7c11-9b2d-3f4e5a6b7c8d"));

    @ParameterizedTest
    @CsvSource({
        "charge, refrainb42359b878234a743d937fea1c1c72d220cb4b60",
        "refund, refrain42d695d29a69304cb6701bd399103e7160601d5c",
        "Überweisung, refrainf0326ef6b65af8950c2e665e35949d0c923712fb"
    })
    void derivedKeyNeverChangesBetweenVersions(String step, String key) {
        assertThat(ID.keyFor(step)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"charge", "a step with spaces\nand lines", "Überweisung", "\u0000", "\uD83D\uDE00"})
    void derivedKeyIsItselfAValidKeyWhateverTheStepIsCalled(String step) {
        assertThat(KeyRules.DEFAULT.check(ID.keyFor(step))).hasSize(47);
    }

    /** {@code String.getBytes} makes a question mark of each. */
    @Test
    void stepsThatDifferInAnUnpairedSurrogateAloneHaveDifferentKeys() {
        assertThat(ID.keyFor("\uD83D")).isNotEqualTo(ID.keyFor("\uD83E")).isNotEqualTo(ID.keyFor("?"));
    }

    @Test
    void anotherStepOrAnotherRecordHasAnotherKey() {
        var other = new RecordId(UUID.fromString("0195f0c8-7a3e-7c11-9b2d-3f4e5a6b7c8e"));

        assertThat(ID.keyFor("charge"))
                .isEqualTo(new RecordId(ID.value()).keyFor("charge"))
                .isNotEqualTo(ID.keyFor("Charge"))
                .isNotEqualTo(ID.keyFor("charge "))
                .isNotEqualTo(other.keyFor("charge"));
    }

    @Test
    void stepNeedsAName() {
        assertThatThrownBy(() -> ID.keyFor(""))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageContaining("the name of the step");
    }
}
