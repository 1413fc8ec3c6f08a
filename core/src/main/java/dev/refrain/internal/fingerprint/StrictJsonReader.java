package dev.refrain.internal.fingerprint;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeMap;

/**
 * Reads strict JSON (RFC 8259), and refuses whatever two readers might take for different things: duplicate members, bytes that
 * are not UTF-8, half of a surrogate pair, a byte order mark, anything after the value.
 *
 * <p>Written by hand because what is read and what is refused is a part of the stored encoding: a JSON library's limits and leniencies
 * change with its versions, and one body must always have one fingerprint.
 */
final class StrictJsonReader {

    static final int MAX_DEPTH = 256;

    /** Stands for the end of the text where one character is looked at; as a character it begins and continues nothing. */
    private static final char END = '\0';

    private final char[] text;
    private int at;

    private StrictJsonReader(char[] text) {
        this.text = text;
    }

    static JsonValue read(byte[] utf8) throws NotCanonicalException {
        var reader = new StrictJsonReader(strictlyDecoded(utf8));
        reader.skipSpace();
        JsonValue document = reader.value(0);
        reader.skipSpace();
        if (reader.at < reader.text.length) {
            throw new NotCanonicalException("more than one JSON value");
        }
        return document;
    }

    /** Neither guesses at UTF-16 nor skips a byte order mark. */
    private static char[] strictlyDecoded(byte[] utf8) throws NotCanonicalException {
        try {
            CharBuffer decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
            char[] text = new char[decoded.remaining()];
            decoded.get(text);
            return text;
        } catch (CharacterCodingException e) {
            throw new NotCanonicalException("not UTF-8");
        }
    }

    private JsonValue value(int depth) throws NotCanonicalException {
        return switch (current()) {
            case '{' -> members(depth + 1);
            case '[' -> elements(depth + 1);
            case '"' -> new JsonValue.JsonString(string());
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        };
    }

    private JsonValue members(int depth) throws NotCanonicalException {
        requireShallow(depth);
        var members = new TreeMap<String, JsonValue>();
        at++;
        skipSpace();
        if (skip('}')) {
            return new JsonValue.JsonObject(members);
        }
        do {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            skipSpace();
            if (members.putIfAbsent(name, value(depth)) != null) {
                throw new NotCanonicalException("duplicate member");
            }
            skipSpace();
        } while (skip(','));
        expect('}');
        return new JsonValue.JsonObject(members);
    }

    private JsonValue elements(int depth) throws NotCanonicalException {
        requireShallow(depth);
        var elements = new ArrayList<JsonValue>();
        at++;
        skipSpace();
        if (skip(']')) {
            return new JsonValue.JsonArray(elements);
        }
        do {
            skipSpace();
            elements.add(value(depth));
            skipSpace();
        } while (skip(','));
        expect(']');
        return new JsonValue.JsonArray(elements);
    }

    private JsonValue literal(String name) throws NotCanonicalException {
        for (int i = 0; i < name.length(); i++) {
            expect(name.charAt(i));
        }
        return new JsonValue.Literal(name);
    }

    /** Keeps the number as it was sent. */
    private JsonValue number() throws NotCanonicalException {
        int from = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            digits();
        }
        return new JsonValue.JsonNumber(new String(text, from, at - from));
    }

    private void digits() throws NotCanonicalException {
        int from = at;
        while (current() >= '0' && current() <= '9') {
            at++;
        }
        if (at == from) {
            throw notJson();
        }
    }

    private String string() throws NotCanonicalException {
        expect('"');
        int from = at;
        while (at < text.length && text[at] != '\\') {
            char c = text[at++];
            if (c == '"') {
                return new String(text, from, at - 1 - from);
            }
            requireNoControl(c);
        }
        var unescaped = new StringBuilder().append(text, from, at - from);
        while (!skip('"')) {
            unescaped.append(skip('\\') ? escaped() : plain());
        }
        return whole(unescaped.toString());
    }

    private char plain() throws NotCanonicalException {
        char c = next();
        requireNoControl(c);
        return c;
    }

    private char escaped() throws NotCanonicalException {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hex() << 12 | hex() << 8 | hex() << 4 | hex());
            default -> throw notJson();
        };
    }

    private int hex() throws NotCanonicalException {
        char c = next();
        // Not Character.digit, which takes the digits of every script.
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        if (c >= 'A' && c <= 'F') {
            return c - 'A' + 10;
        }
        throw notJson();
    }

    /** Half of a pair has no UTF-8. */
    private static String whole(String unescaped) throws NotCanonicalException {
        for (int i = 0; i < unescaped.length(); i++) {
            if (Character.isSurrogate(unescaped.charAt(i))) {
                if (i + 1 == unescaped.length()
                        || !Character.isSurrogatePair(unescaped.charAt(i), unescaped.charAt(i + 1))) {
                    throw new NotCanonicalException("half of a surrogate pair");
                }
                i++;
            }
        }
        return unescaped;
    }

    private static void requireNoControl(char c) throws NotCanonicalException {
        if (c < ' ') {
            throw notJson();
        }
    }

    private static void requireShallow(int depth) throws NotCanonicalException {
        if (depth > MAX_DEPTH) {
            throw new NotCanonicalException("nested deeper than " + MAX_DEPTH);
        }
    }

    private void skipSpace() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private char current() {
        return at < text.length ? text[at] : END;
    }

    private char next() throws NotCanonicalException {
        if (at == text.length) {
            throw new NotCanonicalException("JSON ends early");
        }
        return text[at++];
    }

    private boolean skip(char c) {
        boolean found = at < text.length && text[at] == c;
        if (found) {
            at++;
        }
        return found;
    }

    private void expect(char c) throws NotCanonicalException {
        if (!skip(c)) {
            throw at == text.length ? new NotCanonicalException("JSON ends early") : notJson();
        }
    }

    private static NotCanonicalException notJson() {
        return new NotCanonicalException("not JSON");
    }
}
