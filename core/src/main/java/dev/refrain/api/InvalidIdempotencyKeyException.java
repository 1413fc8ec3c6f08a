package dev.refrain.api;
/** The key, scope or namespace cannot be used as given. Nothing was claimed and nothing ran. */
public final class InvalidIdempotencyKeyException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public InvalidIdempotencyKeyException(String message) {
        super(message);
    }
}
