package dev.refrain.http.client;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the server may have forgotten the key, or only observes keys, so that sending the request again could
 * make it take effect twice. The request stays pending: find out whether it took effect, then {@link
 * RefrainClient#discard} it.
 */
public final class RetentionExpiredException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    private final Instant retryUntil;

    RetentionExpiredException(PendingRequest intent) {
        this(intent, null);
    }

    /** Creates the exception for a single attempt that got no response. */
    RetentionExpiredException(PendingRequest intent, @Nullable IOException cause) {
        super(
                intent.key(),
                (cause == null ? "" : "no response" + because(cause) + "; ") + "first sent at " + intent.firstSent()
                        + (intent.isSendOnce()
                                ? "; the server only observes keys, so it can be sent only once. Sent again,"
                                : "; it could be resent until " + intent.retryUntil() + ". Sent later,")
                        + " it would be a new request. Find out whether it took effect, then discard it.",
                cause);
        this.retryUntil = intent.retryUntil();
    }

    public Instant retryUntil() {
        return retryUntil;
    }
}
