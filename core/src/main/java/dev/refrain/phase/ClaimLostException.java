package dev.refrain.phase;

import dev.refrain.api.RefrainException;

/**
 * Another claim took the work over. Not to be caught by the work: its run is over, and its caller is given the outcome of the other
 * claim.
 */
public final class ClaimLostException extends RefrainException {

    private static final long serialVersionUID = 1L;

    public ClaimLostException(String operation) {
        super(operation + ": another claim took the work over; nothing of this phase was committed.");
    }
}
