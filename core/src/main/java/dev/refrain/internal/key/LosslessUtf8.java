package dev.refrain.internal.key;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Encodes every Java string as UTF-8 without loss. {@code String.getBytes} writes an unpaired surrogate as a question mark, which
 * would give different texts the same bytes; here it is written as UTF-8 would encode its code point, a sequence that no valid
 * text contains.
 */
public final class LosslessUtf8 {

    private LosslessUtf8() {}

    public static byte[] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return withPairsAndHalves(text);
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] withPairsAndHalves(String text) {
        var out = new ByteArrayOutputStream(text.length() * 3);
        text.codePoints().forEach(c -> {
            if (c <= Character.MAX_VALUE && Character.isSurrogate((char) c)) {
                out.write(0xE0 | (c >> 12));
                out.write(0x80 | ((c >> 6) & 0x3F));
                out.write(0x80 | (c & 0x3F));
            } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        });
        return out.toByteArray();
    }
}
