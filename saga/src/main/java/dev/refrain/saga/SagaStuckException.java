package dev.refrain.saga;

import dev.refrain.api.RefrainException;

/**
 * Says that a saga failed and could not be compensated completely: a person has to retry or abandon its compensations, see {@link
 * SagaRunner#stuck}.
 */
public final class SagaStuckException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final transient SagaResult.Stuck result;

    SagaStuckException(String saga, SagaResult.Stuck result) {
        super("Saga " + saga + " failed at step " + result.failure().step() + " and could not be compensated: "
                + result.failedCompensations() + ". Retry or abandon these compensations.");
        this.result = result;
    }

    /** Returns the failure and the state of the compensations. */
    public SagaResult.Stuck result() {
        return result;
    }
}
