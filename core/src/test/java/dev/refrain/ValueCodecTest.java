package dev.refrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueCodecTest {

    record Payment(String id, BigDecimal amount, Instant at, List<String> notes) {}

    @Test
    void withJacksonOnTheClassPathValuesAreJsonAndComeBackEqual() {
        var payment = new Payment("p-1", new BigDecimal("12345678901234567890.10"), Instant.EPOCH, List.of("ä", "\n"));
        var codec = ValueCodec.standard();

        assertThat(codec.decode(codec.encode(payment), Payment.class)).isEqualTo(payment);
    }

    record Receipt(String id, BigDecimal amount, List<String> notes) {}

    @Test
    void withJackson2ValuesAreJsonAndComeBackEqual() throws Exception {
        var receipt = new Receipt("p-1", new BigDecimal("12345678901234567890.10"), List.of("ä", "\n"));
        var codec = Jackson2ValueCodec.standard();

        assertThat(codec.decode(codec.encode(receipt), Receipt.class)).isEqualTo(receipt);
        assertThat(codec.decode(codec.encode(List.of(receipt)), new ResultType<List<Receipt>>() {}.type()))
                .isEqualTo(List.of(receipt));
    }

    @Test
    void eachJacksonReadsWhatTheOtherWroteAndSkipsWhatItDoesNotKnow() {
        var receipt = new Receipt("p-1", new BigDecimal("1.10"), List.of("ä"));
        byte[] later =
                "{\"id\":\"p-1\",\"amount\":1.10,\"notes\":[\"ä\"],\"later\":1}".getBytes(StandardCharsets.UTF_8);
        var codecs = List.of(Jackson3ValueCodec.standard(), Jackson2ValueCodec.standard());
        for (var writer : codecs) {
            for (var reader : codecs) {
                assertThat(reader.decode(writer.encode(receipt), Receipt.class)).isEqualTo(receipt);
            }
            assertThat(writer.decode(later, Receipt.class)).isEqualTo(receipt);
        }
    }

    @Test
    void noJacksonTakesARequestOfWhichNothingShows() {
        for (var codec : List.of(Jackson3ValueCodec.standard(), Jackson2ValueCodec.standard())) {
            assertThatThrownBy(() -> codec.encodeRequest(new Object())).isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void withoutAJsonLibraryTextAndBytesAreTakenAsTheyAre() {
        var plain = new TextOrBytesCodec();
        byte[] bytes = {0, 1, (byte) 0xFF};

        assertThat(plain.decode(plain.encode(bytes), byte[].class)).isEqualTo(bytes);
        assertThat(plain.decode(plain.encode("grüß"), String.class)).isEqualTo("grüß");
        assertThat(plain.encode(new StringBuilder("ab"))).isEqualTo("ab".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void withoutAJsonLibraryAnythingElseIsToldWhatToAdd() {
        var plain = new TextOrBytesCodec();

        assertThatThrownBy(() -> plain.encode(List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<artifactId>jackson-databind</artifactId>")
                .hasMessageContaining("<groupId>tools.jackson.core</groupId>")
                .hasMessageContaining("<groupId>com.fasterxml.jackson.core</groupId>");
        assertThatThrownBy(() -> plain.decode(new byte[0], Payment.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<artifactId>jackson-databind</artifactId>");
    }
}
