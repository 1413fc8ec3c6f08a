package dev.refrain.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and refuses exactly what the reader did that made the fingerprints in people's stores. */
class StrictJsonReaderTest {

    private static final int SAMPLES = Boolean.getBoolean("tests.long") ? 2_000_000 : 60_000;

    /** What JSON is made of, and what is nearly that. */
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\ud83d",
        "\\ude00",
        "\\u0041",
        "\\u00e9",
        "\\/",
        "\\b",
        "\\x",
        "\\\"",
        "0",
        "-",
        "+",
        ".",
        "e",
        "E",
        "1",
        "12",
        "00",
        "-0",
        "1e5",
        "1E+2",
        "1.",
        ".5",
        "true",
        "false",
        "null",
        "nul",
        "True",
        "NaN",
        "Infinity",
        "a",
        "\"a\"",
        "\"a\":",
        " ",
        "\n",
        "\t",
        "\r",
        "\u000b",
        "\u0000",
        "\u001f",
        "\u007f",
        "\u00a0",
        "\u2028",
        "\ufeff",
        "é",
        "😀",
        "//",
        "/*",
        "*/",
        "#",
        "'",
        "\u0660",
        "\u0665"
    };

    /** Jackson looks at the lower eight bits only of what should be a hexadecimal digit. */
    private static final Pattern MISREAD_BY_JACKSON = Pattern.compile("\\\\u[0-9a-fA-F]{0,3}[^\\x00-\\x7f]");

    @Test
    void randomPiecesOfJsonAreReadAndRefusedAsByJackson() {
        var random = new Random(20261116);
        int taken = 0;
        for (int i = 0; i < SAMPLES; i++) {
            var json = new StringBuilder();
            for (int n = random.nextInt(1, 9); n > 0; n--) {
                json.append(PIECES[random.nextInt(PIECES.length)]);
            }
            taken += compare(json.toString().getBytes(StandardCharsets.UTF_8)) ? 1 : 0;
        }
        assertThat(taken).as("samples that are JSON").isGreaterThan(SAMPLES / 200);
    }

    @Test
    void jsonWithChangedBytesIsReadAndRefusedAsByJackson() {
        var random = new Random(8259);
        int taken = 0;
        for (int i = 0; i < SAMPLES / 10; i++) {
            var samples = new RandomJson(new Random(random.nextLong()));
            byte[] json = samples.spelled(samples.container(3)).getBytes(StandardCharsets.UTF_8);
            taken += compare(json) ? 1 : 0;
            for (int n = random.nextInt(4); n > 0; n--) {
                json = damaged(json, random);
                taken += compare(json) ? 1 : 0;
            }
        }
        assertThat(taken).as("samples that are JSON").isGreaterThan(SAMPLES / 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[1,2", "{\"a\"", "{\"a\":", "\"a", "\"\\", "\"\\u12", "tr", "-", "1e", "[", "{", "{\"a\":1,"})
    void truncatedJsonIsRefused(String json) {
        assertThat(compare(json.getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    private static byte[] damaged(byte[] json, Random random) {
        int at = random.nextInt(json.length);
        return switch (random.nextInt(3)) {
            case 0 -> {
                byte[] other = json.clone();
                other[at] = random.nextBoolean() ? (byte) random.nextInt() : json[random.nextInt(json.length)];
                yield other;
            }
            case 1 -> joined(json, at, json, at + 1);
            default -> joined(json, at, json, random.nextInt(at + 1));
        };
    }

    /** The beginning of one up to a place, and the end of the other from another. */
    private static byte[] joined(byte[] first, int end, byte[] second, int from) {
        byte[] both = new byte[Math.max(1, end + second.length - from)];
        System.arraycopy(first, 0, both, 0, end);
        System.arraycopy(second, from, both, end, second.length - from);
        return both;
    }

    /** The one thing that is refused and was read before. If this fails, Jackson got better, and both can be compared on it too. */
    @Test
    void escapeWithALetterOfAnotherScriptIsRefusedAlthoughJacksonReadsAnotherCharacter() {
        byte[] misread = "\"\\u00c\ufb33\"".getBytes(StandardCharsets.UTF_8);

        assertThat(read(JacksonReferenceReader::read, misread)).contains(new JsonValue.JsonString("\u00c3"));
        assertThat(read(StrictJsonReader::read, misread)).isEmpty();
    }

    /** Whether both read it. */
    private static boolean compare(byte[] json) {
        String text = new String(json, StandardCharsets.UTF_8);
        Optional<JsonValue> ours = read(StrictJsonReader::read, json);
        if (!MISREAD_BY_JACKSON.matcher(text).find()) {
            assertThat(ours).as(() -> "of " + text).isEqualTo(read(JacksonReferenceReader::read, json));
        }
        return ours.isPresent();
    }

    private interface JsonReader {
        JsonValue read(byte[] utf8) throws InvalidJsonException;
    }

    private static Optional<JsonValue> read(JsonReader reader, byte[] json) {
        try {
            return Optional.of(reader.read(json));
        } catch (InvalidJsonException e) {
            return Optional.empty();
        }
    }
}
