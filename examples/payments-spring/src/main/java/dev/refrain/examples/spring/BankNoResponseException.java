package dev.refrain.examples.spring;
/**
 * Thrown when it is unknown whether the bank carried out an order. Asking again under the same key is the only way to
 * find out.
 */
final class BankNoResponseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BankNoResponseException(String message, Throwable cause) {
        super(message, cause);
    }
}
