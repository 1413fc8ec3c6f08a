package dev.refrain.api;

import org.jspecify.annotations.Nullable;

/**
 * Signals that a call certainly did not arrive at the other system, for example because the connection was refused or the host
 * name is unknown. Throw it from the code that sends a call or a message; resending is then safe.
 */
public final class NotSentException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message why nothing was sent; stored with the attempt, so without secrets
     */
    public NotSentException(String message) {
        this(message, null);
    }

    public NotSentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
