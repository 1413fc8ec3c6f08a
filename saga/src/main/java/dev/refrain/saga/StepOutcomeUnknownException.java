package dev.refrain.saga;

import dev.refrain.api.RefrainException;

/**
 * Says that the job of a step failed and may have taken effect nevertheless. Throw it from a {@link Saga.JobLookup}: the step is not looked
 * up again, and is compensated with the others; its {@link CompensationContext#stepHappened} is false.
 */
public final class StepOutcomeUnknownException extends RefrainException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the failure of a job.
     *
     * @param why the reason, which is stored as a part of the saga's result
     */
    public StepOutcomeUnknownException(String why) {
        super(why);
    }
}
