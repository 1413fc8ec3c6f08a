package dev.refrain.crash;
/** What an instance that was killed meets at every step it still tries: nothing it does has an effect any more. */
public final class InstanceKilledError extends Error {

    private static final long serialVersionUID = 1L;

    InstanceKilledError(String boundary) {
        super("Killed " + boundary, null, false, false);
    }

    /** Where something between has made a failure of it, as of any other defect of a database. */
    static void throwIfBehind(Throwable failure) {
        for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof InstanceKilledError killed) {
                throw killed;
            }
        }
    }
}
