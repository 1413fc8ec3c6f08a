package dev.refrain.http;

import java.util.Locale;

/** A place where a request's key may stand. */
public sealed interface KeySource {

    /** The header of the draft standard. */
    KeySource STANDARD = header("Idempotency-Key");

    /** A header, by its name in any case. */
    record Header(String name) implements KeySource {
        public Header {
            if (name.isEmpty() || !name.chars().allMatch(Header::isTokenCharacter)) {
                throw new IllegalArgumentException("key.headers: '" + name
                        + "' is not a header's name; it is made of letters, digits and -._~!#$%&'*+^`|.");
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

    /** A member of a JSON object, or a field of a form: at the top, by its name. */
    record BodyField(String name) implements KeySource {
        public BodyField {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("key.body-field must not be empty; leave it out if there is none.");
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

    /** By what it says of itself: {@code body:name} for a field, otherwise a header. */
    static KeySource parse(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("body:") ? bodyField(text.substring(5)) : header(text);
    }
}
