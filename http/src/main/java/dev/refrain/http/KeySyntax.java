package dev.refrain.http;

import java.util.Locale;

/** Accepted forms of a key in a header. */
public enum KeySyntax {
    /** Accepts a structured string, {@code "abc"}, and the bare form, {@code abc}; both are the same key. */
    LENIENT,

    /** Accepts only a structured string (RFC 9651), as the IETF draft requires. */
    STRICT;

    /** Returns the word in settings. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
