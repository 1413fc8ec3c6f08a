package dev.refrain.api;
/** An outcome is stored but cannot be read. Nothing runs: it is done, only its answer cannot be told here. */
public final class UnreadableOutcomeException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public UnreadableOutcomeException(String message) {
        super(message);
    }

    public UnreadableOutcomeException(String message, Throwable cause) {
        super(message, cause);
    }
}
