package dev.refrain.api;
/** Signals an invalid key, scope or namespace. Nothing was claimed and nothing ran. */
public final class InvalidIdempotencyKeyException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public InvalidIdempotencyKeyException(String message) {
        super(message);
    }
}
