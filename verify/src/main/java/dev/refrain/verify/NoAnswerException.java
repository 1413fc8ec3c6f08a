package dev.refrain.verify;

/** A request went out, or was to, and nothing came back. */
final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoAnswerException(String message, Throwable cause) {
        super(message, cause);
    }
}
