package dev.refrain.store;
/**
 * Signals that a request was refused because the store cannot answer it in time: more requests wait than it answers. Nothing happened, and
 * a retry succeeds once the load has fallen. Has no stack trace, because it is thrown when there is no time for one.
 */
public final class StoreOverloadedException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreOverloadedException(String message) {
        super(message, Effect.NONE, true, null);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
