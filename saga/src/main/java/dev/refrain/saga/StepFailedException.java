package dev.refrain.saga;

import dev.refrain.api.RefrainException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a step that did not happen and never will: out of stock, card declined. It is not tried again, and what was done before it is
 * undone. Thrown by a compensation, it says that trying again is no use.
 */
public final class StepFailedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /** @param why stored, and told to whoever asks how the saga ended */
    public StepFailedException(String why) {
        this(why, null);
    }

    public StepFailedException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
