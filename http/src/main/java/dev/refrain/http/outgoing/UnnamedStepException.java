package dev.refrain.http.outgoing;

import dev.refrain.api.RefrainException;

/**
 * Signals a second call to the same address in one run by a step without a name. The call was not sent: a second attempt must
 * carry the first one's key, and a different call must not.
 */
public final class UnnamedStepException extends RefrainException {
    private static final long serialVersionUID = 1L;

    UnnamedStepException(String call) {
        super(call
                + " was not sent a second time in one run: a second attempt must carry the same key as the first,"
                + " and a different call must not. Name the step; the same name gives the same key.");
    }
}
