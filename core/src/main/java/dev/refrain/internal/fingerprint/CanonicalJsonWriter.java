package dev.refrain.internal.fingerprint;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import org.erdtman.jcs.NumberToJSON;

/**
 * Writes RFC 8785 (JCS), and refuses what JCS would change.
 *
 * <p>Of the library this rests on only the formatting of numbers is used. Its reader takes {@code [01]} and
 * {@code {"a":null,"a":1}}, turns broken UTF-8 and lone surrogates into one and the same replacement, knows no values
 * outside an object or array, and overflows the stack when nested deeply: each would give different requests one
 * fingerprint, or none.
 */
final class CanonicalJsonWriter {

    /** Longer literals can be exact ({@code 1.000…}) but nobody sends them, and comparing them costs time. */
    static final int MAX_NUMERAL_LENGTH = 1_000;

    private final StringBuilder out = new StringBuilder();

    private CanonicalJsonWriter() {}

    static byte[] write(JsonValue document) throws NotCanonicalException {
        var canonical = new CanonicalJsonWriter();
        canonical.value(document);
        return canonical.out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void value(JsonValue value) throws NotCanonicalException {
        switch (value) {
            case JsonValue.JsonObject members -> members(members);
            case JsonValue.JsonArray elements -> elements(elements);
            case JsonValue.JsonString text -> text(text.value());
            case JsonValue.JsonNumber numeral -> out.append(exactly(numeral.literal()));
            case JsonValue.Literal literal -> out.append(literal.name());
        }
    }

    private void members(JsonValue.JsonObject members) throws NotCanonicalException {
        out.append('{');
        for (var each = members.byName().entrySet().iterator(); each.hasNext(); ) {
            var member = each.next();
            text(member.getKey());
            out.append(':');
            value(member.getValue());
            separate(each);
        }
        out.append('}');
    }

    private void elements(JsonValue.JsonArray elements) throws NotCanonicalException {
        out.append('[');
        for (var each = elements.inOrder().iterator(); each.hasNext(); ) {
            value(each.next());
            separate(each);
        }
        out.append(']');
    }

    private void separate(Iterator<?> rest) {
        if (rest.hasNext()) {
            out.append(',');
        }
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20) {
                        out.append(c < 0x10 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /**
     * The number as JCS writes it, if that has the very value that was sent. JCS writes the shortest text that is read
     * as the same double: right for 0.1, but 9007199254740993 would become 9007199254740992, another amount.
     */
    private static String exactly(String literal) throws NotCanonicalException {
        if (literal.length() > MAX_NUMERAL_LENGTH) {
            throw new NotCanonicalException("number of more than " + MAX_NUMERAL_LENGTH + " characters");
        }
        double value = Double.parseDouble(literal);
        if (!Double.isInfinite(value)) {
            String canonical = canonical(value);
            if (canonical.equals(literal) || sameValue(literal, canonical)) {
                return canonical;
            }
        }
        throw new NotCanonicalException("number that is not exact as a double");
    }

    private static String canonical(double finite) {
        try {
            return NumberToJSON.serializeNumber(finite);
        } catch (IOException e) {
            throw new IllegalStateException("Finite numbers can be written", e);
        }
    }

    private static boolean sameValue(String literal, String canonical) {
        try {
            return new BigDecimal(literal).compareTo(new BigDecimal(canonical)) == 0;
        } catch (NumberFormatException exponentBeyondAnInt) {
            return false;
        }
    }
}
