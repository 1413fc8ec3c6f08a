package dev.refrain.flow;

import dev.refrain.api.DurationText;
import dev.refrain.api.RefrainException;
import java.time.Duration;

/**
 * Says that a call of another system took longer than its timeout. It may have taken effect: the flow sends it again, looks it up or asks
 * for attention, as its {@link dev.refrain.api.Downstream} allows.
 */
public final class CallTimedOutException extends RefrainException {

    private static final long serialVersionUID = 1L;

    CallTimedOutException(String point, Duration within) {
        super("The call at point " + point + " timed out after " + DurationText.of(within)
                + "; it may have taken effect.");
    }
}
