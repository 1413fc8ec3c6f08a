package dev.refrain.saga;

import dev.refrain.api.RefrainException;

/**
 * Thrown by what asks for the result of a job that has failed, and may have taken effect all the same: the reply of what it called is lost.
 * It is not asked for again, and it is undone with what was done before it, without being {@link CompensationContext#stepHappened certain}.
 */
public final class StepOutcomeUnknownException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /** @param why stored, and told to whoever asks how the saga ended */
    public StepOutcomeUnknownException(String why) {
        super(why);
    }
}
