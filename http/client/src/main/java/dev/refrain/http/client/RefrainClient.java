package dev.refrain.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Sends requests that must take effect once. Each gets a key of its own, which stays the same however often it has to be sent:
 * after a lost answer, a timeout, a refusal that will pass, and, where intents are kept in a folder, after a crash.
 *
 * <pre>{@code
 * var client = RefrainClient.builder().intents(PendingRequestStore.inFolder(Path.of("intents"))).build();
 * FinalResponse answer = client.send(ResendableRequest.postJson(uri, "{\"cents\":1999}"));
 * }</pre>
 *
 * <p>An answer is returned whatever its status: it is final. What is not final is sent for again until the deadline; then
 * {@link RetryDeadlineExceededException} is thrown and the intent is pending. It is pending as well if the thread is interrupted. Where the
 * server's contract says that keys are only observed, a request is sent once, and without an answer is pending by a
 * {@link RetentionExpiredException}. Thread-safe.
 */
public final class RefrainClient {

    private static final System.Logger LOG = System.getLogger(RefrainClient.class.getName());

    private final PendingRequestSender sender;
    private final ClientRetryLoop resending;
    private final PendingRequestStore intents;
    private final IdempotencyKeyGenerator keys;
    private final RetentionLookup retentions;

    /** For how long the server remembers the key of a request; zero if it does not, and a retry would run. */
    @FunctionalInterface
    interface RetentionLookup {
        Duration of(ResendableRequest request) throws InterruptedException;
    }

    RefrainClient(
            PendingRequestSender sender,
            ClientRetryLoop resending,
            PendingRequestStore intents,
            IdempotencyKeyGenerator keys,
            RetentionLookup retentions) {
        this.sender = sender;
        this.resending = resending;
        this.intents = intents;
        this.keys = keys;
        this.retentions = retentions;
    }

    public static RefrainClientBuilder builder() {
        return new RefrainClientBuilder();
    }

    /** Under a new key. */
    public FinalResponse send(ResendableRequest request) throws IOException, InterruptedException {
        return send(keys.next(), request);
    }

    /** Under a new key; the intent is done when the handler is. */
    public <T, X extends Exception> T send(ResendableRequest request, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        return send(keys.next(), request, handler);
    }

    /** Under a key of the caller's own. If this request is pending under it, that is continued. */
    public FinalResponse send(String key, ResendableRequest request) throws IOException, InterruptedException {
        return send(key, request, answer -> answer);
    }

    /** Under a key of the caller's own; the intent is done when the handler is. */
    public <T, X extends Exception> T send(String key, ResendableRequest request, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        var retention = retentions.of(request);
        var now = resending.time().now();
        var kept = intents.save(new PendingRequest(key, request, now, now.plus(retention)));
        try (var hold = kept.orElseThrow(() -> new ConcurrentSendException(key))) {
            if (!hold.request().request().isSameAs(request)) {
                throw new KeyAlreadyUsedException(hold.request());
            }
            return send(hold, handler);
        }
    }

    /** What was sent, by this process or an earlier one, and never answered. Oldest first. */
    public List<PendingRequest> pending() throws IOException {
        return intents.pending();
    }

    /** Sends a pending intent again, under its key. */
    public FinalResponse resend(PendingRequest pending) throws IOException, InterruptedException {
        return resend(pending, answer -> answer);
    }

    /** Sends a pending intent again, under its key; it is done when the handler is. */
    public <T, X extends Exception> T resend(PendingRequest pending, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        try (var hold = take(pending)) {
            return send(hold, handler);
        }
    }

    /** Gives a pending intent up. It may have taken effect: find that out first. */
    public void discard(PendingRequest pending) throws IOException {
        try (var hold = take(pending)) {
            hold.complete();
        }
    }

    private PendingRequestStore.PendingRequestLock take(PendingRequest pending) throws IOException {
        return intents.acquire(pending.key()).orElseThrow(() -> new ConcurrentSendException(pending.key()));
    }

    private <T, X extends Exception> T send(
            PendingRequestStore.PendingRequestLock hold, FinalResponseHandler<T, X> handler)
            throws IOException, InterruptedException, X {
        var intent = hold.request();
        boolean once = hold.isNew() && intent.isSendOnce();
        T handled = handler.handle(once ? resending.sendOnce(intent, sender) : resending.send(intent, sender));
        try {
            hold.complete();
        } catch (IOException stillThere) {
            // The answer counts for more. Sent again some day, the request is answered the same.
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "Key " + PendingRequest.redacted(intent.key())
                            + " is answered, but its intent could not be removed.",
                    stillThere);
        }
        return handled;
    }
}
