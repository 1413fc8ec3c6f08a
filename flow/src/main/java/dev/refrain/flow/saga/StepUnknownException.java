package dev.refrain.flow.saga;

import dev.refrain.RefrainException;

/**
 * Thrown by what asks for the result of a job that has failed, and may have taken effect all the same: the reply of what it called is lost.
 * It is not asked for again, and it is undone with what was done before it, without being {@link Undoing#stepHappened certain}.
 */
public final class StepUnknownException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /** @param why stored, and told to whoever asks how the saga ended */
    public StepUnknownException(String why) {
        super(why);
    }
}
