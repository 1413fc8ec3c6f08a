package dev.refrain.saga;

import dev.refrain.api.RefrainException;

/**
 * Says that a saga failed and was compensated: nothing of it is left but abandoned compensations. The same id gives the same result; a new
 * attempt needs a new id.
 */
public final class SagaCompensatedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final transient SagaResult.Compensated result;

    SagaCompensatedException(String saga, SagaResult.Compensated result) {
        super("Saga " + saga + " failed at step " + result.failure().step() + " and was compensated: "
                + result.failure().reason() + ". Use a new id for a new attempt.");
        this.result = result;
    }

    /** Returns the failure and the state of the compensations. */
    public SagaResult.Compensated result() {
        return result;
    }
}
