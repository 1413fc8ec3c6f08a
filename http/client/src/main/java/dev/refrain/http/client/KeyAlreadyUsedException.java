package dev.refrain.http.client;
/** Another request is pending under this key. Nothing was sent: a new intent needs a new key. */
public final class KeyAlreadyUsedException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    KeyAlreadyUsedException(PendingRequest pending) {
        super(
                pending.key(),
                "another request is pending under it, first sent at " + pending.firstSent()
                        + ". Nothing was sent: a new intent needs a new key.",
                null);
    }
}
