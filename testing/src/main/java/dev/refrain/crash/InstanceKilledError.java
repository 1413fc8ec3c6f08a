package dev.refrain.crash;
/** Stops the threads of a killed instance at their next crash point. */
public final class InstanceKilledError extends Error {

    private static final long serialVersionUID = 1L;

    InstanceKilledError(String boundary) {
        super("Killed " + boundary, null, false, false);
    }

    /** Returns whether an exception was caused by the kill. */
    static void throwIfBehind(Throwable failure) {
        for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof InstanceKilledError killed) {
                throw killed;
            }
        }
    }
}
