package dev.refrain.key;

import dev.refrain.RefrainException;

/** The key, scope or namespace cannot be used as given. Nothing was claimed and nothing ran. */
public final class InvalidKeyException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public InvalidKeyException(String message) {
        super(message);
    }
}
