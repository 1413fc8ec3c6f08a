package dev.refrain.api;

import java.time.Duration;

/** Signals that the same request is running on this or another instance. Nothing ran for this call; retry under the same key. */
public final class InProgressException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public InProgressException(String operation, Duration retryAfter) {
        super(operation + " is in progress under this key. Retry with the same key after " + retryAfter.toMillis()
                + " ms.");
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
