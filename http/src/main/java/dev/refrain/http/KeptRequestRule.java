package dev.refrain.http;

import java.util.Locale;

/** Rule for keeping the request of a leased route, for the person who has to decide about its record. */
public enum KeptRequestRule {
    /** Never keeps it. */
    NEVER,

    /** Keeps it where the store encrypts and the route is leased with hold: what a crash leaves there waits for a person. */
    ENCRYPTED,

    /** Keeps it for every leased route, in the clear where the store does not encrypt. */
    ALWAYS;

    /** Returns the word in settings. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
