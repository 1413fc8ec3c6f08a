package dev.refrain.phase;

import dev.refrain.api.RefrainException;
import java.time.Duration;

/**
 * Signals that the work cannot continue now but will later. Thrown by the work: its claim is released, and callers are asked to
 * retry.
 */
public final class RetryLaterException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public RetryLaterException(String why, Duration until) {
        super(why);
        this.retryAfter = until;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
