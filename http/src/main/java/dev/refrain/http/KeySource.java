package dev.refrain.http;

import java.util.Locale;

/** A place in a request that may carry the key: a header or a body field. */
public sealed interface KeySource {

    /** The {@code Idempotency-Key} header of the IETF draft. */
    KeySource STANDARD = header("Idempotency-Key");

    /** A header; its name is case-insensitive. */
    record Header(String name) implements KeySource {
        public Header {
            if (name.isEmpty() || !name.chars().allMatch(Header::isTokenCharacter)) {
                throw new IllegalArgumentException(
                        "'" + name + "' is not a header name: use letters, digits and -._~!#$%&'*+^`|.");
            }
        }

        private static boolean isTokenCharacter(int c) {
            return (c >= '0' && c <= '9')
                    || (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A top-level member of a JSON object, or a form field. */
    record BodyField(String name) implements KeySource {
        public BodyField {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("A body field needs a name. Write it like body:requestId.");
            }
        }

        @Override
        public String toString() {
            return "body field " + name;
        }
    }

    static KeySource header(String name) {
        return new Header(name);
    }

    static KeySource bodyField(String name) {
        return new BodyField(name);
    }

    /** Parses {@code body:name} as a body field and anything else as a header name. */
    static KeySource parse(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("body:") ? bodyField(text.substring(5)) : header(text);
    }
}
