package dev.refrain.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class LosslessUtf8Test {

    @Test
    void properTextIsUtf8() {
        String text = "a\0é€\ud7ff\ue000\uffff😀";
        assertThat(LosslessUtf8.bytes(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void halfOfASurrogatePairIsWrittenAsItsNumber() {
        assertThat(hex("\ud800")).isEqualTo("eda080");
        assertThat(hex("\udfff")).isEqualTo("edbfbf");
        assertThat(hex("é\udc41\uffff😀")).isEqualTo("c3a9" + "edb181" + "efbfbf" + "f09f9880");
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(LosslessUtf8.bytes(text));
    }
}
