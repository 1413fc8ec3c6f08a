package dev.refrain.internal.fingerprint;
/**
 * Signals, inside this package only, that a body cannot be parsed as its content type without loss and is compared by its bytes.
 * A normal result rather than an error, hence without a stack trace.
 */
final class NotCanonicalException extends Exception {
    private static final long serialVersionUID = 1L;

    NotCanonicalException(String reason) {
        super(reason, null, false, false);
    }
}
