package dev.refrain.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Signals that transactional work ran longer than its operation's maximum run time. Everything was rolled back and the key is free:
 * a retry runs again.
 */
public final class RunTimeExceededException extends RefrainException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param failure the work's exception, after its transaction was ended
     */
    public RunTimeExceededException(String operation, Duration longest, @Nullable Throwable failure) {
        super(
                operation + " ran longer than its maximum run time of " + longest.toMillis()
                        + " ms and was rolled back. Retry, or raise maxRunTime.",
                failure);
    }
}
