package dev.refrain.verify;
/** Thrown when a request could not be sent or got no response. */
final class NoResponseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoResponseException(String message, Throwable cause) {
        super(message, cause);
    }
}
