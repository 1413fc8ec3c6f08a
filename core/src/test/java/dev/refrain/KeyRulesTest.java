package dev.refrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.InvalidIdempotencyKeyException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRulesTest {

    @ParameterizedTest
    @ValueSource(strings = {"!", "~", "8e03978e-40d5-43dd-bc93-6894a57f9324", "\"quoted\"", "a/b?c=d;e,f"})
    void anyVisibleAsciiIsAKey(String key) {
        assertThat(KeyRules.DEFAULT.check(key)).isEqualTo(key);
    }

    @Test
    void keyHas1To255Bytes() {
        assertThat(KeyRules.DEFAULT.check("k".repeat(255))).hasSize(255);
        assertThatThrownBy(() -> KeyRules.DEFAULT.check("k".repeat(256)))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessage("The key has 256 bytes; this operation takes 1 to 255.");
        assertThatThrownBy(() -> KeyRules.DEFAULT.check(""))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessage("The key has 0 bytes; this operation takes 1 to 255.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\tb", "a\u0000b", "a\u007Fb", "aéb", "a\uD83D\uDE00b", "a\uD83Db", "a\u200Bb"})
    void characterOutsideVisibleAsciiIsRefusedAndItsPlaceNamedButNotTheKey(String key) {
        assertThatThrownBy(() -> KeyRules.DEFAULT.check(key))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessage("The key has a character outside visible ASCII at position 1; send 0x21 to 0x7E only.");
    }

    @Test
    void operationMayAskForLongerKeys() {
        var rules = KeyRules.DEFAULT.lengths(16, 64);

        assertThat(rules.check("k".repeat(16))).hasSize(16);
        assertThatThrownBy(() -> rules.check("k".repeat(15)))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessage("The key has 15 bytes; this operation takes 16 to 64.");
    }

    @Test
    void operationMayAskForAFormThatTheWholeKeyHas() {
        var rules = KeyRules.DEFAULT.matching(Pattern.compile("[0-9a-f]{4}"));

        assertThat(rules.check("beef")).isEqualTo("beef");
        assertThatThrownBy(() -> rules.check("beef-secret"))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessage("The key does not have the form this operation asks for: [0-9a-f]{4}")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "-1, 10", "11, 10", "1, 513"})
    void lengthsThatMakeNoSenseAreRefusedWhenTheyAreSet(int min, int max) {
        assertThatThrownBy(() -> new KeyRules(min, max, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key.min-bytes and key.max-bytes")
                .hasMessageContaining(min + " and " + max);
    }
}
