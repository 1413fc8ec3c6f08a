package dev.refrain.http.outgoing;

import dev.refrain.api.RefrainException;

/**
 * The same address was about to be called a second time in one run, and the step has no name. It was not sent: if it is a second
 * attempt it must carry the first one's key, and if it is another call it must not.
 */
public final class UnnamedStepException extends RefrainException {
    private static final long serialVersionUID = 1L;

    UnnamedStepException(String call) {
        super(
                call
                        + " was about to be sent a second time in one run, and was not: a second attempt must carry the same key as the first,"
                        + " another call must not, and only you know which it is. Name the step; the same name is the same key.");
    }
}
