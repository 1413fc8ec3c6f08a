package dev.refrain.internal.key;

import java.nio.charset.StandardCharsets;

/** Texts that every store keeps as they are: without NUL, which PostgreSQL has in no text, and without halves of a surrogate pair. */
public final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    public static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && !hasHalfOfAPair(text);
    }

    /**
     * Returns the text if a store can keep it. For texts by which something is found.
     *
     * @param what names it in the refusal
     * @throws IllegalArgumentException if it cannot
     */
    public static String require(String what, String text) {
        if (!isStorable(text)) {
            throw new IllegalArgumentException(refusal(what));
        }
        return text;
    }

    public static String refusal(String what) {
        return "The " + what + " holds a NUL or an unpaired surrogate, which no store can keep. Remove it.";
    }

    /** Returns the text with a replacement character for each that no store can keep. For texts that people read. */
    public static String replaced(String text) {
        if (isStorable(text)) {
            return text;
        }
        var kept = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || (c <= Character.MAX_VALUE && Character.isSurrogate((char) c)) ? REPLACEMENT : c)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }

    /** Creates an encoder only for text with surrogates, which most texts do not have. */
    private static boolean hasHalfOfAPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return !StandardCharsets.UTF_8.newEncoder().canEncode(text);
            }
        }
        return false;
    }
}
