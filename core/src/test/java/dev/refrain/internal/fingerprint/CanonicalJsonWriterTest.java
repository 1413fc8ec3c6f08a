package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.internal.json.InvalidJsonException;
import dev.refrain.internal.json.StrictJsonReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.erdtman.jcs.JsonCanonicalizer;
import org.erdtman.jcs.NumberToJSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8785 by the vectors of the RFC, and where it is not followed because it would lose something. */
class CanonicalJsonWriterTest {

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbersOfAppendixB(String ieee754, String json) throws Exception {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(ieee754, 16));

        assertThat(NumberToJSON.serializeNumber(value)).isEqualTo(json);
        assertThat(canonical(json)).isEqualTo(json);
    }

    @Test
    void exampleOfSection322IsWrittenCanonically() throws Exception {
        assertThat(canonical("""
                        {
                          "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                          "literals": [null, true, false]
                        }"""))
                .isEqualTo("{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void membersAreSortedAsInSection323() throws Exception {
        String sent = "{`\\u20ac`:1,`\\r`:2,`\\ufb33`:3,`1`:4,`\\ud83d\\ude00`:5,`\\u0080`:6,`\\u00f6`:7}";
        String sorted = "{`\\r`:2,`1`:4,`\u0080`:6,`ö`:7,`€`:1,`😀`:5,`\ufb33`:3}";

        assertThat(canonical(sent.replace('`', '"'))).isEqualTo(sorted.replace('`', '"'));
    }

    @Test
    void onlyWhatMustBeIsEscaped() throws Exception {
        assertThat(canonical("\"\\u0000\\u000f\\u0010\\u001f\\u0020\\u007f\\u0080\\b\\t\\n\\f\\r\\/\\\\\\u2028\""))
                .isEqualTo("\"\\u0000\\u000f\\u0010\\u001f \u007f\u0080\\b\\t\\n\\f\\r/\\\\\u2028\"");
    }

    @ParameterizedTest
    @CsvSource({
        "-0, 0",
        "-0.0e5, 0",
        "1.0, 1",
        "1e0, 1",
        "100, 100",
        "1E2, 100",
        "0.1, 0.1",
        "1e-1, 0.1",
        "12.50, 12.5",
        "5e-324, 5e-324",
        "1e23, 1e+23",
        "9007199254740994, 9007199254740994",
        "0e999999999, 0"
    })
    void spellingsOfOneNumberAreOne(String sent, String canonical) throws Exception {
        assertThat(canonical(sent)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "12345678901234567890",
                "-9223372036854775807",
                "0.1000000000000000055511151231257827",
                "333333333.33333329",
                "4.9e-324",
                "1e-400",
                "1e400",
                "-1e400",
                "1e99999999999",
                "1e-99999999999",
                "0e99999999999"
            })
    void numberThatWouldBecomeAnotherIsRefused(String number) {
        assertThatExceptionOfType(NotCanonicalException.class)
                .isThrownBy(() -> canonical("[" + number + "]"))
                .withMessageContaining("not exact");
    }

    @Test
    void numberOfEndlessDigitsIsRefusedAtOnce() throws Exception {
        assertThat(canonical("1." + "0".repeat(CanonicalJsonWriter.MAX_NUMERAL_LENGTH - 2)))
                .isEqualTo("1");
        assertThatThrownBy(() -> canonical("1." + "0".repeat(CanonicalJsonWriter.MAX_NUMERAL_LENGTH - 1)))
                .isInstanceOf(NotCanonicalException.class);
        assertThatThrownBy(() -> canonical("1".repeat(1_000_000))).isInstanceOf(NotCanonicalException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":null,\"a\":1}",
                "{\"a\":1,\"\\u0061\":2}",
                "[{\"b\":{\"x\":[],\"x\":[]}}]"
            })
    void duplicateMembersAreRefused(String json) {
        assertThatExceptionOfType(InvalidJsonException.class)
                .isThrownBy(() -> canonical(json))
                .withMessage("duplicate member");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "]",
                "{}{}",
                "[] []",
                "[1,]",
                "[,1]",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "[01]",
                "[1.]",
                "[.5]",
                "[+1]",
                "[-]",
                "[1e]",
                "[NaN]",
                "[Infinity]",
                "tru",
                "True",
                "nul",
                "\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\t\"",
                "\"\n\"",
                "[1 2]",
                "// c\n1",
                "/**/1",
                "#\n1",
                "1\0",
                "\ufeff{}",
                "{}\ufeff",
                "\u00a01",
                "[1] x"
            })
    void looseJsonIsRefused(String json) {
        assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> canonical(json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\ud800\"", "\"\\udc00\"", "\"\\udc00\\ud800\"", "\"\\ud800x\"", "{\"\\udfff\":1}"})
    void halfOfASurrogatePairIsRefused(String json) {
        assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> canonical(json));
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[][] inside = {
            {(byte) 0xFF}, {(byte) 0xC0, (byte) 0x80}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, {(byte) 0xE2}
        };
        for (byte[] bytes : inside) {
            byte[] body = ("\"" + "x".repeat(bytes.length) + "\"").getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, body, 1, bytes.length);
            assertThatExceptionOfType(InvalidJsonException.class)
                    .isThrownBy(() -> StrictJsonReader.read(body))
                    .withMessage("not UTF-8");
        }
        for (var charset : new Charset[] {StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE}) {
            assertThatExceptionOfType(InvalidJsonException.class)
                    .isThrownBy(() -> StrictJsonReader.read("{\"a\":1}".getBytes(charset)));
        }
    }

    @Test
    void deepNestingIsRefusedAndNeverOverflowsTheStack() throws Exception {
        int most = StrictJsonReader.MAX_DEPTH;
        assertThat(canonical("[".repeat(most) + "]".repeat(most))).hasSize(2 * most);

        for (int depth : new int[] {most + 1, 500_000}) {
            assertThatThrownBy(() -> canonical("[".repeat(depth) + "]".repeat(depth)))
                    .isInstanceOf(InvalidJsonException.class);
            assertThatThrownBy(() -> canonical("{\"a\":".repeat(depth) + "1" + "}".repeat(depth)))
                    .isInstanceOf(InvalidJsonException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"x\"", "true", "null", " [] ", "{}"})
    void anyValueCanStandAlone(String json) throws Exception {
        assertThat(canonical(json)).isEqualTo(json.strip());
    }

    /** Why the library's own reader is not used. If one of these fails the library got better: think again. */
    @Test
    void librarysReaderWouldTakeDifferentRequestsForTheSame() throws Exception {
        assertThat(library("{\"a\":null,\"a\":1}")).isEqualTo(library("{\"a\":1}"));
        assertThat(library("[9007199254740993]")).isEqualTo(library("[9007199254740992]"));
        assertThat(library("[\"\\ud800\"]")).isEqualTo(library("[\"\\udbff\"]"));
        assertThat(library("[01]")).isEqualTo(library("[1]"));
        assertThatThrownBy(() -> library("[".repeat(500_000))).isInstanceOf(StackOverflowError.class);
    }

    private static String canonical(String json) throws NotCanonicalException, InvalidJsonException {
        return new String(
                CanonicalJsonWriter.write(StrictJsonReader.read(json.getBytes(StandardCharsets.UTF_8))),
                StandardCharsets.UTF_8);
    }

    private static String library(String json) throws Exception {
        return new String(new JsonCanonicalizer(json).getEncodedUTF8(), StandardCharsets.UTF_8);
    }
}
