package dev.refrain.http;

import java.util.Locale;

/** What becomes of a request without a key. */
public enum KeyRequirement {
    /** Refused. */
    REQUIRED,

    /** Runs, unprotected. */
    OPTIONAL,

    /** A key is made for it and returned with the answer. */
    MINT,

    /** Everything runs, with a key or without; what would have been refused or replayed is only counted. */
    OBSERVE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
