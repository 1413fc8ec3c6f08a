package dev.refrain.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.refrain.internal.json.JsonValue.JsonArray;
import dev.refrain.internal.json.JsonValue.JsonNumber;
import dev.refrain.internal.json.JsonValue.JsonString;
import dev.refrain.internal.json.JsonValue.Literal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the parser of a handler reads is found, so that no request runs without its key. */
class TopLevelMemberReaderTest {

    @Test
    void everyMemberOfTheNameIsFoundAtTheTopOnly() throws Exception {
        assertThat(
                        read(
                                "{\"x\":{\"id\":0},\"id\":\"a\",\"y\":[{\"id\":1}],\"\\u0069d\":2,\"id\":null,\"id\":{\"id\":3}}"))
                .containsExactly(
                        new JsonString("a"), new JsonNumber("2"), new Literal("null"), new JsonArray(List.of()));
        assertThat(read("[{\"id\":1}]")).isEmpty();
        assertThat(read("{}")).isEmpty();
        assertThat(read("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"})
    void everyEncodingOfJsonIsRead(String charset) throws Exception {
        for (String start : new String[] {"", "\uFEFF"}) {
            byte[] body = (start + "{\"id\":\"ä\"}").getBytes(Charset.forName(charset));

            assertThat(TopLevelMemberReader.read(body, "id")).containsExactly(new JsonString("ä"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"a\"} x",
                "{\"id\":\"a\",\"x\":1,\"x\":2}",
                "{\"x\":{\"y\":1,\"y\":2},\"id\":\"a\"}",
                "{\"x\":\"\\ud800\",\"id\":\"a\"}",
                " { \"x\" : [ 1.5e-3 , true , [ ] , { } ] , \"id\" : \"a\" } "
            })
    void parsersLeniencesAreShared(String json) throws Exception {
        assertThat(read(json)).containsExactly(new JsonString("a"));
        assertThat(jackson(json)).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"a\"",
                "{\"id\":\"a\",}",
                "{id:\"a\"}",
                "{\"x\":01,\"id\":\"a\"}",
                "{\"x\":[1,],\"id\":\"a\"}",
                "{\"x\":[1},\"id\":\"a\"}",
                "{\"id\":\"a\" \"x\":1}",
                "{\"id\":'a'}",
                "{\"id\":\"a\nb\"}"
            })
    void textThatNoParserReadsIsRejected(String json) {
        assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> read(json));
        assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> jackson(json));
    }

    @Test
    void deepNestingIsRejectedAndNeverOverflowsTheStack() throws Exception {
        assertThat(read("{\"x\":" + "[".repeat(999) + "]".repeat(999) + ",\"id\":\"a\"}"))
                .containsExactly(new JsonString("a"));
        assertThatExceptionOfType(InvalidJsonException.class)
                .isThrownBy(() -> read("{\"x\":" + "[".repeat(1_000_000) + "]".repeat(1_000_000) + "}"));
    }

    private static List<JsonValue> read(String json) throws InvalidJsonException {
        return TopLevelMemberReader.read(json.getBytes(StandardCharsets.UTF_8), "id");
    }

    /** Reads as handlers do: the first object, whatever follows. */
    private static String jackson(String json) {
        var mapper = JsonMapper.builder()
                .disable(tools.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        JsonNode tree = mapper.readTree(json);
        return tree.path("id").stringValue();
    }
}
