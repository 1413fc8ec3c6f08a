package dev.refrain.api;
/** Signals that a stored outcome cannot be read. Nothing runs: the operation is done, only its answer is unavailable here. */
public final class UnreadableOutcomeException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public UnreadableOutcomeException(String message) {
        super(message);
    }

    public UnreadableOutcomeException(String message, Throwable cause) {
        super(message, cause);
    }
}
