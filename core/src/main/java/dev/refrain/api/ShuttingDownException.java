package dev.refrain.api;
/** Signals that this instance is closing and accepts no new work. Nothing ran; another instance will serve the retry. */
public final class ShuttingDownException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public ShuttingDownException(String operation) {
        super("Cannot run " + operation + ": this instance is shutting down. Retry on another instance.");
    }
}
