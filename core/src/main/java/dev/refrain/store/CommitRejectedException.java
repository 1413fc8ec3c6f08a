package dev.refrain.store;
/**
 * Signals that the database rejected the commit of transactional work because of the work itself: a deferred constraint that it
 * violates, or a constraint trigger. Everything was rolled back and the key is free. The cause is the database's error.
 */
public final class CommitRejectedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param code the database's code of the error
     */
    public CommitRejectedException(String doing, String code, Throwable cause) {
        super(
                doing + ": the database rejected the commit with " + code
                        + ", because of what the work wrote. Everything was rolled back. See the cause.",
                Effect.NONE,
                false,
                cause);
    }
}
