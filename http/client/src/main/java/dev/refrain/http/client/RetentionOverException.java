package dev.refrain.http.client;

import java.time.Instant;

/**
 * The server may have forgotten the key by now. Sent again, the request could take effect a second time, so it is not sent.
 * The intent is pending: find out what became of it, then {@link RefrainClient#abandon} it.
 */
public final class RetentionOverException extends IntentException {
    private static final long serialVersionUID = 1L;

    private final Instant retryUntil;

    RetentionOverException(Intent intent) {
        super(
                intent.key(),
                "first sent at " + intent.firstSent() + ", it could be sent again until " + intent.retryUntil()
                        + ". Later it would be a new request. Find out what became of it, then abandon it.",
                null);
        this.retryUntil = intent.retryUntil();
    }

    public Instant retryUntil() {
        return retryUntil;
    }
}
