package dev.refrain.internal.json;

/**
 * Tokens of RFC 8259 in a text. Written by hand because what is accepted and rejected is part of the stored encoding of fingerprints: a
 * JSON library's limits and leniencies change with its versions. Not thread-safe.
 */
abstract class JsonScanner {

    /** Marks the end of the text; as a character it begins and continues nothing. */
    private static final char END = '\0';

    final char[] text;
    private final int maxDepth;
    int at;

    JsonScanner(char[] text, int maxDepth) {
        this.text = text;
        this.maxDepth = maxDepth;
    }

    /** Skips a number. */
    final void number() throws InvalidJsonException {
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
    }

    private void digits() throws InvalidJsonException {
        int from = at;
        while (current() >= '0' && current() <= '9') {
            at++;
        }
        if (at == from) {
            throw notJson();
        }
    }

    final JsonValue literal(String name) throws InvalidJsonException {
        for (int i = 0; i < name.length(); i++) {
            expect(name.charAt(i));
        }
        return new JsonValue.Literal(name);
    }

    /** Reads a string, in which an escape may leave half of a surrogate pair. */
    final String string() throws InvalidJsonException {
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
        return unescaped(unescaped.toString());
    }

    /** Checks a string that had escapes; one without them was checked when it was decoded. */
    String unescaped(String string) throws InvalidJsonException {
        return string;
    }

    private char plain() throws InvalidJsonException {
        char c = next();
        requireNoControl(c);
        return c;
    }

    private char escaped() throws InvalidJsonException {
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

    private int hex() throws InvalidJsonException {
        char c = next();
        // Not Character.digit, which accepts the digits of every script.
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

    private static void requireNoControl(char c) throws InvalidJsonException {
        if (c < ' ') {
            throw notJson();
        }
    }

    final void requireShallow(int depth) throws InvalidJsonException {
        if (depth > maxDepth) {
            throw new InvalidJsonException("nested deeper than " + maxDepth);
        }
    }

    final void skipSpace() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    final char current() {
        return at < text.length ? text[at] : END;
    }

    private char next() throws InvalidJsonException {
        if (at == text.length) {
            throw new InvalidJsonException("JSON ends early");
        }
        return text[at++];
    }

    final boolean skip(char c) {
        boolean found = at < text.length && text[at] == c;
        if (found) {
            at++;
        }
        return found;
    }

    final void expect(char c) throws InvalidJsonException {
        if (!skip(c)) {
            throw at == text.length ? new InvalidJsonException("JSON ends early") : notJson();
        }
    }

    static InvalidJsonException notJson() {
        return new InvalidJsonException("not JSON");
    }
}
