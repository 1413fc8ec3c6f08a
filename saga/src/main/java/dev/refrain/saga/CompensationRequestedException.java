package dev.refrain.saga;

import dev.refrain.api.RefrainException;

/** Says that a person had a saga compensated. Kept as the failure of the step at which the saga waited, never thrown. */
final class CompensationRequestedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    CompensationRequestedException(String who, String why) {
        super("Compensated by " + who + ": " + why);
    }
}
