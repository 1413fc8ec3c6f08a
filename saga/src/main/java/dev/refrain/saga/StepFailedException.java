package dev.refrain.saga;

import dev.refrain.api.RefrainException;
import org.jspecify.annotations.Nullable;

/**
 * Says that a step did not happen and never will: out of stock, card declined. Throw it from a step: the step is not retried, and the steps
 * before it are compensated. Thrown by a compensation it says that a retry is useless.
 */
public final class StepFailedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure of a step.
     *
     * @param why the reason, which is stored as a part of the saga's result
     */
    public StepFailedException(String why) {
        this(why, null);
    }

    public StepFailedException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
