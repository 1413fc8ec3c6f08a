package dev.refrain.api;

import org.jspecify.annotations.Nullable;

/** Whether something happened elsewhere cannot be known, nor tried again. Thrown by the work: its record waits for a decision. */
public final class EffectUnknownException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /** @param why what a person reads who has to decide */
    public EffectUnknownException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
