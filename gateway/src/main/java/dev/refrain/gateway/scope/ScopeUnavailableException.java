package dev.refrain.gateway.scope;
/** Nobody can be asked now who sends a request: that is not its sender's fault. */
public final class ScopeUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScopeUnavailableException(Throwable cause) {
        super("The keys of tokens cannot be fetched: " + cause.getMessage(), cause);
    }
}
