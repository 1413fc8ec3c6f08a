package dev.refrain.http.client;

import static java.net.http.HttpClient.Redirect.NEVER;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Builder of {@link RefrainClient}. Not thread-safe. */
public final class RefrainClientBuilder {

    private Optional<HttpClient> httpClient = Optional.empty();
    private Optional<PendingRequestSender> sender = Optional.empty();
    private HttpClient.Redirect redirects = NEVER;
    private Consumer<HttpRequest.Builder> eachAttempt = request -> {};
    private IdempotencyKeyGenerator keyGenerator = IdempotencyKeyGenerator.uuidV7();
    private PendingRequestStore pendingRequests = PendingRequestStore.inMemory();
    private ClientRetryRules rules = ClientRetryRules.EXPLICIT_ONLY;
    private ClientRetryBackoff backoff = ClientRetryBackoff.DEFAULT;
    private Duration attemptTimeout = Duration.ofSeconds(30);
    private Duration deadline = Duration.ofMinutes(2);
    private Duration retention = Duration.ofHours(24);
    private Optional<URI> contractUri = Optional.empty();
    private ClientClock clock = ClientClock.system();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    RefrainClientBuilder() {}

    /** Sets the HTTP client (default: a new one). */
    public RefrainClientBuilder httpClient(HttpClient client) {
        this.httpClient = Optional.of(client);
        return this;
    }

    /**
     * Sends with another HTTP library. {@link #httpClient}, {@link #followRedirects} and {@link #eachAttempt} then have
     * no effect: the sender is responsible for them.
     */
    public RefrainClientBuilder sender(PendingRequestSender other) {
        this.sender = Optional.of(other);
        return this;
    }

    /**
     * Follows redirects under the same key, but never from https to http. By default a redirect is a final response,
     * because its target may not know the key.
     */
    public RefrainClientBuilder followRedirects() {
        this.redirects = HttpClient.Redirect.NORMAL;
        return this;
    }

    /**
     * Sets a callback that changes each attempt before it is sent. Use it for credentials, so that they are fresh. It
     * cannot set the key.
     */
    public RefrainClientBuilder eachAttempt(Consumer<HttpRequest.Builder> change) {
        this.eachAttempt = change;
        return this;
    }

    /** Sets the key generator (default: {@link IdempotencyKeyGenerator#uuidV7}). */
    public RefrainClientBuilder keyGenerator(IdempotencyKeyGenerator mint) {
        this.keyGenerator = mint;
        return this;
    }

    /** Sets the store of pending requests (default: {@link PendingRequestStore#inMemory}, which a crash loses). */
    public RefrainClientBuilder pendingRequests(PendingRequestStore where) {
        this.pendingRequests = where;
        return this;
    }

    /**
     * Retries 5xx responses even if they do not say that they are retryable. Use it for servers that do not keep such
     * responses; a server that does replays the same response.
     */
    public RefrainClientBuilder retryServerErrors() {
        this.rules = ClientRetryRules.ALL_SERVER_ERRORS;
        return this;
    }

    /** Sets the backoff (default: {@link ClientRetryBackoff#DEFAULT}, up to 200 ms, doubling up to 10 s). */
    public RefrainClientBuilder backoff(ClientRetryBackoff pauses) {
        this.backoff = pauses;
        return this;
    }

    /** Sets the timeout of one attempt, including the response body (default: 30 s). */
    public RefrainClientBuilder attemptTimeout(Duration atMost) {
        this.attemptTimeout = requirePositive("attempt-timeout", atMost);
        return this;
    }

    /** Sets the timeout of one call with all its attempts and delays (default: 2 min). */
    public RefrainClientBuilder deadline(Duration atMost) {
        this.deadline = requirePositive("deadline", atMost);
        return this;
    }

    /**
     * Sets how long the server keeps a key (default: 24 h). No attempt is made later than that after the first one.
     * With {@link #contractUri}, this applies only to requests that the contract does not cover, and until it can be
     * read.
     */
    public RefrainClientBuilder retention(Duration published) {
        this.retention = requirePositive("retention", published);
        return this;
    }

    /**
     * Sets the URL where the server publishes the retention of each route: {@code /refrain/contract.json} in an
     * application protected by Refrain. It is read before the first request to that server, with the changes of {@link
     * #eachAttempt}, and again after an hour. A pending request keeps the retention it started with. If a route only
     * observes keys, requests to it are sent once.
     */
    public RefrainClientBuilder contractUri(URI published) {
        if (published.getRawAuthority() == null) {
            throw new IllegalArgumentException(
                    "Invalid contract URI '" + published + "': it must have a scheme and host.");
        }
        this.contractUri = Optional.of(published);
        return this;
    }

    public RefrainClientBuilder clock(ClientClock clocks) {
        this.clock = clocks;
        return this;
    }

    /** Sets the source of randomness for the backoff. */
    public RefrainClientBuilder random(RandomGenerator source) {
        this.random = source;
        return this;
    }

    public RefrainClient build() {
        return new RefrainClient(
                sender.orElseGet(this::jdkSender),
                new ClientRetryLoop(rules, backoff, attemptTimeout, deadline, clock, random),
                pendingRequests,
                keyGenerator,
                retentions());
    }

    private RefrainClient.RetentionLookup retentions() {
        var fallback = retention;
        if (contractUri.isEmpty()) {
            return request -> fallback;
        }
        var published = new ServerContractCache(
                contractUri.get(), httpClient.orElseGet(HttpClient::newHttpClient), eachAttempt, clock);
        return request -> published.retentionOf(request).orElse(fallback);
    }

    private PendingRequestSender jdkSender() {
        var client = httpClient.orElseGet(
                () -> HttpClient.newBuilder().followRedirects(redirects).build());
        if ((client.followRedirects() == NEVER) != (redirects == NEVER)) {
            throw new IllegalArgumentException(
                    "Conflicting redirect settings: the given HttpClient has followRedirects "
                            + client.followRedirects() + ", the builder has " + redirects
                            + ". Set both to follow redirects, or neither.");
        }
        return new JdkHttpSender(client, eachAttempt);
    }

    private static Duration requirePositive(String setting, Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(setting + " must be positive, but was " + duration.toMillis() + " ms.");
        }
        return duration;
    }
}
