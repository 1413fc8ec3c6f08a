package dev.refrain.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * HTTP client that retries requests safely. Each request gets a key, which stays the same however often it is sent:
 * after a lost response, a timeout, a retryable error and, with {@link PendingRequestStore#inFolder}, after a crash.
 * Thread-safe.
 *
 * <pre>{@code
 * var client = RefrainClient.builder().pendingRequests(PendingRequestStore.inFolder(Path.of("pending"))).build();
 * FinalResponse response = client.send(ResendableRequest.postJson(uri, "{\"cents\":1999}"));
 * }</pre>
 *
 * <p>A final response is returned whatever its status. Other responses are retried until the deadline; then {@link
 * RetryDeadlineExceededException} is thrown and the request stays pending, as it does if the thread is interrupted. If
 * the server's contract says that a route only observes keys, a request is sent once; without a response, {@link
 * RetentionExpiredException} is thrown and it stays pending.
 */
public final class RefrainClient {

    private static final System.Logger LOG = System.getLogger(RefrainClient.class.getName());

    private final PendingRequestSender sender;
    private final ClientRetryLoop retryLoop;
    private final PendingRequestStore intents;
    private final IdempotencyKeyGenerator keys;
    private final RetentionLookup retentions;

    /**
     * Looks up how long the server keeps the key of a request; zero if it does not keep keys and a retry would run
     * again.
     */
    @FunctionalInterface
    interface RetentionLookup {
        Duration of(ResendableRequest request) throws InterruptedException;
    }

    RefrainClient(
            PendingRequestSender sender,
            ClientRetryLoop retryLoop,
            PendingRequestStore intents,
            IdempotencyKeyGenerator keys,
            RetentionLookup retentions) {
        this.sender = sender;
        this.retryLoop = retryLoop;
        this.intents = intents;
        this.keys = keys;
        this.retentions = retentions;
    }

    public static RefrainClientBuilder builder() {
        return new RefrainClientBuilder();
    }

    /** Sends a request under a new key. */
    public FinalResponse send(ResendableRequest request) throws IOException, InterruptedException {
        return send(keys.next(), request);
    }

    /** Sends a request under a new key; it stays pending until the handler returns. */
    public <T, X extends Exception> T send(ResendableRequest request, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        return send(keys.next(), request, handler);
    }

    /** Sends a request under the caller's own key. Continues the request if it is already pending under that key. */
    public FinalResponse send(String key, ResendableRequest request) throws IOException, InterruptedException {
        return send(key, request, answer -> answer);
    }

    /** Sends a request under the caller's own key; it stays pending until the handler returns. */
    public <T, X extends Exception> T send(String key, ResendableRequest request, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        var retention = retentions.of(request);
        var now = retryLoop.time().now();
        var saved = intents.save(new PendingRequest(key, request, now, now.plus(retention)));
        try (var lock = saved.orElseThrow(() -> new ConcurrentSendException(key))) {
            if (!lock.request().request().isSameAs(request)) {
                throw new KeyAlreadyUsedException(lock.request());
            }
            return send(lock, handler);
        }
    }

    /** Lists the requests without a final response, sent by this process or an earlier one, oldest first. */
    public List<PendingRequest> pending() throws IOException {
        return intents.pending();
    }

    /** Resends a pending request under its key. */
    public FinalResponse resend(PendingRequest pending) throws IOException, InterruptedException {
        return resend(pending, answer -> answer);
    }

    /** Resends a pending request under its key; it stays pending until the handler returns. */
    public <T, X extends Exception> T resend(PendingRequest pending, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        try (var lock = lock(pending)) {
            return send(lock, handler);
        }
    }

    /** Removes a pending request without resending it. It may have taken effect: find out first. */
    public void discard(PendingRequest pending) throws IOException {
        try (var lock = lock(pending)) {
            lock.complete();
        }
    }

    private PendingRequestStore.PendingRequestLock lock(PendingRequest pending) throws IOException {
        return intents.acquire(pending.key()).orElseThrow(() -> new ConcurrentSendException(pending.key()));
    }

    private <T, X extends Exception> T send(
            PendingRequestStore.PendingRequestLock lock, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        var intent = lock.request();
        boolean once = lock.isNew() && intent.isSendOnce();
        T handled = handler.handle(once ? retryLoop.sendOnce(intent, sender) : retryLoop.send(intent, sender));
        try {
            lock.complete();
        } catch (IOException failure) {
            // The response matters more. If the request is sent again some day, its response is replayed.
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "Key " + PendingRequest.redacted(intent.key())
                            + " got its final response, but the pending request could not be removed; it may be sent again and replayed.",
                    failure);
        }
        return handled;
    }
}
