package dev.refrain.api;

import org.jspecify.annotations.Nullable;

/**
 * Says that a call certainly did not arrive at the other system: the connection was refused, the host name is unknown. Throw it from the
 * code that sends a call or a message; it is then safe to send again.
 */
public final class NotSentException extends RefrainException {

    private static final long serialVersionUID = 1L;

    public NotSentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
