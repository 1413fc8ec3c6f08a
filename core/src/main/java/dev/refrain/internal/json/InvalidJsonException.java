package dev.refrain.internal.json;

/** Signals that a text is not the JSON that a reader accepts. A normal result rather than an error, hence without a stack trace. */
public final class InvalidJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidJsonException(String reason) {
        super(reason, null, false, false);
    }
}
