package dev.refrain.http.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A body of another shape than the pointers expect hides more than they name, never less. */
class RedactedJsonFieldsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/card/number | {'Card':{'NUMBER':1},'to':2} | {'Card':{'NUMBER':'[redacted]'},'to':2}",
                "/card/number | {'card':'4242','to':2} | {'card':'[redacted]','to':2}",
                "/card/number | {'card':[{'number':1,'x':3},{'number':2}]} | {'card':[{'number':'[redacted]','x':3},{'number':'[redacted]'}]}",
                "/card/number | {'card':{'number':[1,2]}} | {'card':{'number':'[redacted]'}}",
                "/card/number | {'card':['4242']} | {'card':['[redacted]']}",
                "/card/number | [{'card':{'number':1}},[{'card':2}]] | [{'card':{'number':'[redacted]'}},[{'card':'[redacted]'}]]",
                "/items/*/iban | {'items':{'iban':'DE1','x':{'y':1}}} | {'items':{'iban':'[redacted]','x':{'y':1}}}",
                "/items/*/iban | {'items':{'a':{'iban':'DE1'}}} | {'items':{'a':{'iban':'[redacted]'}}}",
                "/items/0/iban | {'items':[{'iban':1},{'iban':2}]} | {'items':[{'iban':'[redacted]'},{'iban':2}]}",
                "/card | {'to':{'card':1}} | {'to':{'card':1}}"
            })
    void otherShapes(String pointer, String body, String kept) {
        var fields = new RedactedJsonFields(List.of(pointer));

        assertThat(new String(fields.replaceIn(json(body)).orElseThrow(), UTF_8))
                .isEqualTo(new String(json(kept), UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'4242'", "4242", "true", "null"})
    void singleValueIsWithheld(String body) {
        assertThat(new RedactedJsonFields(List.of("/card")).replaceIn(json(body)))
                .isEmpty();
    }

    @Test
    void emptyBodyIsWithheld() {
        assertThat(new RedactedJsonFields(List.of("/card")).replaceIn(new byte[0]))
                .isEmpty();
    }

    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }
}
