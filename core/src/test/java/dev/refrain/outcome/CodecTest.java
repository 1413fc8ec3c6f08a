package dev.refrain.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {

    record Payment(String id, BigDecimal amount, Instant at, List<String> notes) {}

    @Test
    void with_jackson_on_the_class_path_values_are_json_and_come_back_equal() {
        var payment = new Payment("p-1", new BigDecimal("12345678901234567890.10"), Instant.EPOCH, List.of("ä", "\n"));
        var codec = Codec.standard();

        assertThat(codec.decode(codec.encode(payment), Payment.class)).isEqualTo(payment);
    }

    @Test
    void without_a_json_library_text_and_bytes_are_taken_as_they_are() {
        var plain = new PlainCodec();
        byte[] bytes = {0, 1, (byte) 0xFF};

        assertThat(plain.decode(plain.encode(bytes), byte[].class)).isEqualTo(bytes);
        assertThat(plain.decode(plain.encode("grüß"), String.class)).isEqualTo("grüß");
        assertThat(plain.encode(new StringBuilder("ab"))).isEqualTo("ab".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void without_a_json_library_anything_else_is_told_what_to_add() {
        var plain = new PlainCodec();

        assertThatThrownBy(() -> plain.encode(List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<artifactId>jackson-databind</artifactId>");
        assertThatThrownBy(() -> plain.decode(new byte[0], Payment.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<artifactId>jackson-databind</artifactId>");
    }
}
