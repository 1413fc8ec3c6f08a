package dev.refrain.http.client;
/** Thrown when a different request is pending under this key. Nothing was sent: use a new key for a new request. */
public final class KeyAlreadyUsedException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    KeyAlreadyUsedException(PendingRequest pending) {
        super(
                pending.key(),
                "a different request is pending under it, first sent at " + pending.firstSent()
                        + ". Nothing was sent. Use a new key for a new request.",
                null);
    }
}
