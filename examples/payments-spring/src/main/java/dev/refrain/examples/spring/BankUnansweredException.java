package dev.refrain.examples.spring;
/** Whether the bank did what it was asked is not known. Only asking again under the same key finds out. */
final class BankUnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BankUnansweredException(String message, Throwable cause) {
        super(message, cause);
    }
}
