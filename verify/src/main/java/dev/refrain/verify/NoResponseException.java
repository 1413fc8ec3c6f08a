package dev.refrain.verify;
/** A request went out, or was to, and nothing came back. */
final class NoResponseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoResponseException(String message, Throwable cause) {
        super(message, cause);
    }
}
