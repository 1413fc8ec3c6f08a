package dev.refrain.api;
/** This instance is closing and takes no new work. Nothing ran; another instance will take the retry. */
public final class ShuttingDownException extends RefrainException {
    private static final long serialVersionUID = 1L;

    public ShuttingDownException(String operation) {
        super("Running " + operation + ": this instance is shutting down and takes no new work; retry elsewhere.");
    }
}
