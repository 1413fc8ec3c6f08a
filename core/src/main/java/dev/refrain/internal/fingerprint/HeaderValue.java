package dev.refrain.internal.fingerprint;

import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Header value with parameters, such as a content type. Strict: rejects anything ambiguous.
 *
 * <p>Inside quotes a backslash is kept. Senders disagree about it ({@code C:\new}), and a comparison does not need to know what
 * they meant.
 */
record HeaderValue(String value, SortedMap<String, String> parameters) {

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    static HeaderValue parse(String text) throws NotCanonicalException {
        var scanner = new Scanner(text);
        scanner.skipSpace();
        String value = scanner.token();
        if (scanner.skip('/')) {
            value += "/" + scanner.token();
        }
        var parameters = new TreeMap<String, String>();
        for (scanner.skipSpace(); !scanner.atEnd(); scanner.skipSpace()) {
            scanner.require(';');
            scanner.skipSpace();
            if (scanner.atEnd() || scanner.peek() == ';') {
                continue; // RFC 9110 allows "a/b;" and "a/b;;c=d"
            }
            String name = scanner.token().toLowerCase(Locale.ROOT);
            scanner.require('=');
            if (parameters.put(name, scanner.skip('"') ? scanner.quoted() : scanner.token()) != null) {
                throw new NotCanonicalException("parameter given twice");
            }
        }
        return new HeaderValue(value.toLowerCase(Locale.ROOT), parameters);
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }

    /**
     * Scans by hand rather than by regular expression, whose alternatives within quotes would need a stack frame per character.
     */
    private static final class Scanner {
        private final String text;
        private int at;

        Scanner(String text) {
            this.text = text;
        }

        boolean atEnd() {
            return at == text.length();
        }

        char peek() {
            return text.charAt(at);
        }

        boolean skip(char expected) {
            boolean there = !atEnd() && peek() == expected;
            if (there) {
                at++;
            }
            return there;
        }

        void require(char expected) throws NotCanonicalException {
            if (!skip(expected)) {
                throw new NotCanonicalException("no " + expected + " in a header value where there must be one");
            }
        }

        void skipSpace() {
            while (!atEnd() && (peek() == ' ' || peek() == '\t')) {
                at++;
            }
        }

        String token() throws NotCanonicalException {
            int start = at;
            while (!atEnd() && isTokenCharacter(peek())) {
                at++;
            }
            if (at == start) {
                throw new NotCanonicalException("no token in a header value where there must be one");
            }
            return text.substring(start, at);
        }

        /** Returns the text up to the closing quote; the opening one is already consumed. */
        String quoted() throws NotCanonicalException {
            int start = at;
            for (boolean escaped = false; !atEnd(); at++) {
                char c = peek();
                if (c == '"' && !escaped) {
                    return text.substring(start, at++);
                }
                if (c < ' ' && c != '\t') {
                    throw new NotCanonicalException("control character in a header value");
                }
                escaped = c == '\\' && !escaped;
            }
            throw new NotCanonicalException("quote without an end");
        }
    }
}
