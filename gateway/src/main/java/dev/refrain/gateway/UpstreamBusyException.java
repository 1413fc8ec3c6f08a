package dev.refrain.gateway;

import java.util.concurrent.TimeoutException;

/** Signals that no connection to the upstream came in time, or would have. Nothing was sent. Has no stack trace: under overload it is thrown most. */
final class UpstreamBusyException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    UpstreamBusyException(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
