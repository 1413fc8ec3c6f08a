package dev.refrain.internal.fingerprint;

import dev.refrain.internal.json.JsonText;
import dev.refrain.internal.json.JsonValue;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.erdtman.jcs.NumberToJSON;

/**
 * Writes canonical JSON (RFC 8785, JCS), and rejects what JCS would change.
 *
 * <p>Only the number formatting of the library is used. Its parser accepts {@code [01]} and {@code {"a":null,"a":1}}, turns
 * broken UTF-8 and lone surrogates into the same replacement, knows no values outside an object or array, and overflows the stack
 * when nested deeply: each would give different requests one fingerprint, or none.
 */
final class CanonicalJsonWriter {

    /** Longer literals may be exact ({@code 1.000…}), but nobody sends them, and comparing them is slow. */
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
            case JsonValue.JsonString text -> JsonText.appendString(out, text.value());
            case JsonValue.JsonNumber numeral -> out.append(exactly(numeral.literal()));
            case JsonValue.Literal literal -> out.append(literal.name());
        }
    }

    private void members(JsonValue.JsonObject members) throws NotCanonicalException {
        out.append('{');
        for (var each = sorted(members.byName()).entrySet().iterator(); each.hasNext(); ) {
            var member = each.next();
            JsonText.appendString(out, member.getKey());
            out.append(':');
            value(member.getValue());
            separate(each);
        }
        out.append('}');
    }

    private static SortedMap<String, JsonValue> sorted(Map<String, JsonValue> members) {
        return members instanceof SortedMap<String, JsonValue> sorted ? sorted : new TreeMap<>(members);
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

    /**
     * Returns the number as JCS writes it, if that has exactly the value that was sent. JCS writes the shortest text that parses
     * to the same double: right for 0.1, but 9007199254740993 would become 9007199254740992, another amount.
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
