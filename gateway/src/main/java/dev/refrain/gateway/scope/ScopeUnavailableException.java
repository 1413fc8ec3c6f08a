package dev.refrain.gateway.scope;
/** Failure to find the scope of a request now, through no fault of the caller. */
public final class ScopeUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScopeUnavailableException(Throwable cause) {
        super("Cannot fetch the public keys that verify tokens: " + cause.getMessage(), cause);
    }
}
