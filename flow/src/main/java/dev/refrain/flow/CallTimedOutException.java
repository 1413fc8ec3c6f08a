package dev.refrain.flow;

import dev.refrain.api.RefrainException;
import java.time.Duration;

/** A call of another system did not end in time. Whether it took effect is not known here; the flow knows what to do about it. */
public final class CallTimedOutException extends RefrainException {

    private static final long serialVersionUID = 1L;

    CallTimedOutException(String point, Duration within) {
        super("The call at " + point + " did not end within " + within + ".");
    }
}
