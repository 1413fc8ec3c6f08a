package dev.refrain.internal.fingerprint;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Digests a form by its decoded names and values, in the order sent, so that {@code a=%7E} and {@code a=~} are the same.
 *
 * <p>The content, one field after the other: {@code f}, the name, and {@code v} with the value or {@code n} if there is none.
 * Name and value are prefixed by their length.
 *
 * <p>Decoded to bytes, not characters: the charset does not matter here, and bytes lose nothing.
 */
final class FormBodyDigest {

    private static final char FIELD = 'f';
    private static final char VALUE = 'v';
    private static final char NO_VALUE = 'n';

    private FormBodyDigest() {}

    static void write(byte[] body, FieldSelection selection, LengthPrefixedDigest content)
            throws NotCanonicalException {
        if (body.length == 0) {
            throw new NotCanonicalException("empty");
        }
        boolean nothingKept = true;
        for (String field : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
            int equals = field.indexOf('=');
            byte[] name = decoded(equals < 0 ? field : field.substring(0, equals));
            if (!field.isEmpty() && selection.keeps(new String(name, StandardCharsets.ISO_8859_1))) {
                nothingKept = false;
                content.tag(FIELD).framed(name);
                // Most servers treat "a" like "a=", some do not: when in doubt, different.
                if (equals < 0) {
                    content.tag(NO_VALUE);
                } else {
                    content.tag(VALUE).framed(decoded(field.substring(equals + 1)));
                }
            }
        }
        if (nothingKept && !selection.mayKeepNothing()) {
            throw new NotCanonicalException("none of the selected fields");
        }
    }

    private static byte[] decoded(String escaped) throws NotCanonicalException {
        var bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c == '%') {
                bytes.write((hex(escaped, ++i) << 4) | hex(escaped, ++i));
            } else {
                bytes.write(c == '+' ? ' ' : c);
            }
        }
        return bytes.toByteArray();
    }

    private static int hex(String text, int at) throws NotCanonicalException {
        int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
        if (digit < 0) {
            throw new NotCanonicalException("broken escape");
        }
        return digit;
    }
}
