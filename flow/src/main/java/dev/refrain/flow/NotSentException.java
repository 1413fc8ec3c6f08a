package dev.refrain.flow;

import dev.refrain.api.RefrainException;
import org.jspecify.annotations.Nullable;

/** Thrown by what calls another system if nothing certainly arrived there: the connection was refused, the name not found. */
public final class NotSentException extends RefrainException {

    private static final long serialVersionUID = 1L;

    public NotSentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
