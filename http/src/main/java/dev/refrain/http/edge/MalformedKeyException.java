package dev.refrain.http.edge;

import dev.refrain.api.RefrainException;
import dev.refrain.http.KeySource;

/** What stands where the key should be is no key. Nothing was claimed and nothing ran. */
public final class MalformedKeyException extends RefrainException {
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
        return new MalformedKeyException(source + " is given " + times + " times; send it once.", true);
    }

    /** Whether there was more than one key. */
    public boolean repeated() {
        return repeated;
    }
}
