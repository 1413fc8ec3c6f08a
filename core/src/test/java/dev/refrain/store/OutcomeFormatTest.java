package dev.refrain.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.UnreadableOutcomeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeFormatTest {

    private static byte[] everyByte() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        return all;
    }

    static Stream<Outcome.Answer> answers() {
        return Stream.of(
                Outcome.Answer.of(204, new byte[0]),
                Outcome.Answer.of(200, everyByte()),
                Outcome.Answer.of(100, new byte[] {0}),
                Outcome.Answer.of(999, new byte[1 << 20]),
                new Outcome.Answer(
                        201,
                        List.of(
                                new AnswerHeader("Location", "/payments/1"),
                                new AnswerHeader("X", ""),
                                new AnswerHeader("x", "again"),
                                new AnswerHeader("Überschrift", "\u0000\uD83D\uDE00")),
                        Payload.of("{\"id\":1}".getBytes(StandardCharsets.UTF_8))));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answerIsReadBackWithStatusHeadersInOrderAndBytes(Outcome.Answer answer) {
        assertThat(OutcomeFormat.decode(OutcomeFormat.encode(answer))).isEqualTo(answer);
    }

    @Test
    void version1IsReadForEver() {
        var stored = Payload.of(HexFormat.of()
                .parseHex("01" + "00c9" + "00000001" + "00000008" + hex("Location") + "00000002" + hex("/1") + "00ff"));

        assertThat(OutcomeFormat.decode(stored))
                .isEqualTo(new Outcome.Answer(
                        201, List.of(new AnswerHeader("Location", "/1")), Payload.of(new byte[] {0, (byte) 0xFF})));
        assertThat(OutcomeFormat.encode(OutcomeFormat.decode(stored))).isEqualTo(stored);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void laterVersionIsNamedAndNotGuessedAt() {
        assertThatThrownBy(() -> OutcomeFormat.decode(Payload.of(new byte[] {2, 0, 0})))
                .isInstanceOf(UnreadableOutcomeException.class)
                .hasMessage(
                        "The stored outcome has format 2, but this Refrain reads format 1. Finish the upgrade of all instances.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "01",
                "0100c8",
                "0100c8ffffffff",
                "0100c87fffffff",
                "01000000000000",
                "01ffff00000000",
                "0100c800000001ffffffff",
                "0100c80000000100000009616263",
                "0100c8000000010000000161"
            })
    void damagedBytesAreReportedAsUnreadable(String hex) {
        assertThatThrownBy(() -> OutcomeFormat.decode(Payload.of(HexFormat.of().parseHex(hex))))
                .isInstanceOf(UnreadableOutcomeException.class);
    }

    @Test
    void storedBytesAreReadOrReportedAsUnreadable() {
        var random = new Random(7);
        var good = OutcomeFormat.encode(new Outcome.Answer(
                        201, List.of(new AnswerHeader("a", "b"), new AnswerHeader("c", "d")), Payload.of(new byte[20])))
                .bytes();
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
            for (int flips = random.nextInt(4); flips >= 0 && bad.length > 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                OutcomeFormat.decode(Payload.of(bad));
            } catch (UnreadableOutcomeException told) {
                assertThat(told).hasMessageContaining("The stored outcome");
            }
        }
    }

    @Test
    void outcomeThatCouldNotBeStoredCannotBeCreated() {
        assertThatThrownBy(() -> new AnswerHeader(null, "v")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new AnswerHeader("n", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Payload.of(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new Outcome.Answer(200, List.of(), null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Outcome.Answer.of(99, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("99");
        assertThatThrownBy(() -> Outcome.Answer.of(1000, new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void payloadIsComparedByContentAndLoggedBySize() {
        var payload = Payload.of("secret".getBytes(StandardCharsets.UTF_8));

        assertThat(payload)
                .isEqualTo(Payload.of("secret".getBytes(StandardCharsets.UTF_8)))
                .hasSameHashCodeAs(Payload.of("secret".getBytes(StandardCharsets.UTF_8)))
                .isNotEqualTo(Payload.of("secreT".getBytes(StandardCharsets.UTF_8)))
                .hasToString("Payload[6 bytes]");
    }
}
