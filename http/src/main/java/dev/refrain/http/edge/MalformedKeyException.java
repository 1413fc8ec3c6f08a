package dev.refrain.http.edge;

import dev.refrain.api.RefrainException;
import dev.refrain.http.KeySource;

/** Signals that the key of a request is malformed or sent more than once. Nothing was claimed and nothing ran. */
final class MalformedKeyException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final boolean repeated;

    private MalformedKeyException(String message, boolean repeated) {
        super(message);
        this.repeated = repeated;
    }

    static MalformedKeyException because(String message) {
        return new MalformedKeyException(message, false);
    }

    static MalformedKeyException givenTwice(KeySource source, int times) {
        return new MalformedKeyException(source + " was sent " + times + " times; send it once.", true);
    }

    /** Returns true if the request carried more than one key. */
    public boolean repeated() {
        return repeated;
    }
}
