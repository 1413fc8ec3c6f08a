package dev.refrain.http.client;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The server may have forgotten the key by now, or only observes keys and remembers none. Sent again, the request could take effect a second time, so it is not sent.
 * The intent is pending: find out what became of it, then {@link RefrainClient#discard} it.
 */
public final class RetentionExpiredException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    private final Instant retryUntil;

    RetentionExpiredException(PendingRequest intent) {
        this(intent, null);
    }

    /** @param why the one attempt that was made has no answer */
    RetentionExpiredException(PendingRequest intent, @Nullable IOException why) {
        super(
                intent.key(),
                "first sent at " + intent.firstSent()
                        + (intent.isSendOnce()
                                ? ", it could be sent once: the server only observes keys there. Again"
                                : ", it could be sent again until " + intent.retryUntil() + ". Later")
                        + " it would be a new request. Find out what became of it, then abandon it.",
                why);
        this.retryUntil = intent.retryUntil();
    }

    public Instant retryUntil() {
        return retryUntil;
    }
}
