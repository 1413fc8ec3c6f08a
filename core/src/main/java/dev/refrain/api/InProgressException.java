package dev.refrain.api;

import java.time.Duration;

/** The same request runs now, here or elsewhere. Nothing ran for this call; retry under the same key. */
public final class InProgressException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public InProgressException(String operation, Duration retryAfter) {
        super(operation + " is in progress under this key; retry with the same key after " + retryAfter.toMillis()
                + " ms.");
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
