package dev.refrain.internal.fingerprint;
/**
 * Inside this package only: a body cannot be read as what it says it is without losing something, so its bytes count.
 * An everyday answer and not a fault, hence without a stack trace.
 */
final class NotCanonicalException extends Exception {
    private static final long serialVersionUID = 1L;

    NotCanonicalException(String reason) {
        super(reason, null, false, false);
    }
}
