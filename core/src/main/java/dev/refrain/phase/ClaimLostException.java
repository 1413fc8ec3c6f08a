package dev.refrain.phase;

import dev.refrain.api.RefrainException;

/**
 * Signals that another claim took the work over. The work must not catch it: its run is over, and its caller gets the outcome of
 * the other claim.
 */
public final class ClaimLostException extends RefrainException {

    private static final long serialVersionUID = 1L;

    public ClaimLostException(String operation) {
        super(operation + ": another claim took the work over; nothing of this phase was committed.");
    }
}
