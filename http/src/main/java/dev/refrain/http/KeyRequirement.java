package dev.refrain.http;

import java.util.Locale;

/** Handling of a request that carries no key. */
public enum KeyRequirement {
    /** The request is rejected. */
    REQUIRED,

    /** The handler runs unprotected. */
    OPTIONAL,

    /** Refrain generates a key and returns it with the response. */
    MINT,

    /** Every request runs, with or without a key; rejections and replays that would have happened are only counted. */
    OBSERVE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
