package dev.refrain.gateway.internal.scope;
/** Failure to find the scope of a request now, through no fault of the caller. */
public final class ScopeLookupFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScopeLookupFailedException(Throwable cause) {
        super("Cannot fetch the public keys that verify tokens: " + cause.getMessage(), cause);
    }
}
