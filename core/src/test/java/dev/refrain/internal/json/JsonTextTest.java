package dev.refrain.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonTextTest {

    @Test
    void bodyThatIsReadInOrderIsWrittenAsItWas() throws Exception {
        String json = "{\"b\":1.10,\"a\":[true,null,-1E5,{}],\"é\\\"\\u0001\\n\":\"\\\\\",\"c\":[]}";

        assertThat(JsonText.compact(StrictJsonReader.readInOrder(json.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(json);
    }

    @Test
    void indentedTextIsForPeople() {
        var members = new LinkedHashMap<String, Object>();
        members.put("routes", List.of(Map.of("path", "/a"), Map.of()));
        members.put("none", List.of());

        assertThat(JsonText.indented(JsonValue.of(members))).isEqualTo("""
                {
                  "routes" : [
                    {
                      "path" : "/a"
                    },
                    {}
                  ],
                  "none" : []
                }""");
    }

    @Test
    void librariesReadEveryStringThatIsWritten() {
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            String text = random.ints(random.nextInt(12), 0, random.nextBoolean() ? 0x80 : 0x3000)
                    .filter(c -> !Character.isSurrogate((char) c))
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();

            String json = JsonText.compact(JsonValue.of(Map.of(text, text)));

            assertThat(JsonMapper.shared().readTree(json).path(text).stringValue())
                    .isEqualTo(text);
        }
    }

    @Test
    void valueWithoutJsonIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonValue.of(List.of(1.5)))
                .withMessageContaining("java.lang.Double");
    }
}
