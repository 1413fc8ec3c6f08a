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

/** What can be chosen about a {@link RefrainClient}. Not thread-safe. */
public final class RefrainClientBuilder {

    private Optional<HttpClient> httpClient = Optional.empty();
    private Optional<PendingRequestSender> sender = Optional.empty();
    private HttpClient.Redirect redirects = NEVER;
    private Consumer<HttpRequest.Builder> eachAttempt = request -> {};
    private IdempotencyKeyGenerator keyGenerator = IdempotencyKeyGenerator.uuidV7();
    private PendingRequestStore pendingRequests = PendingRequestStore.inMemory();
    private ClientRetryRules rules = ClientRetryRules.AS_TOLD;
    private ClientRetryBackoff backoff = ClientRetryBackoff.DEFAULT;
    private Duration attemptTimeout = Duration.ofSeconds(30);
    private Duration deadline = Duration.ofMinutes(2);
    private Duration retention = Duration.ofHours(24);
    private Optional<URI> contractUri = Optional.empty();
    private ClientClock clock = ClientClock.system();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    RefrainClientBuilder() {}

    /** What to send with; by default a client of its own, as {@code java.net.http} makes it. */
    public RefrainClientBuilder httpClient(HttpClient client) {
        this.httpClient = Optional.of(client);
        return this;
    }

    /**
     * Sends through another library. What is chosen by {@link #httpClient}, {@link #followRedirects} and {@link #eachAttempt} is then
     * not asked for: the sender does it in its own way.
     */
    public RefrainClientBuilder sender(PendingRequestSender other) {
        this.sender = Optional.of(other);
        return this;
    }

    /**
     * Follows redirects under the same key, never from https to http. Without this a redirect is the answer:
     * the server that it leads to may know nothing of the key.
     */
    public RefrainClientBuilder followRedirects() {
        this.redirects = HttpClient.Redirect.NORMAL;
        return this;
    }

    /** Asked at each attempt, so that what it sets is fresh: the place for credentials. It cannot set the key. */
    public RefrainClientBuilder eachAttempt(Consumer<HttpRequest.Builder> change) {
        this.eachAttempt = change;
        return this;
    }

    /** By default {@link IdempotencyKeyGenerator#uuidV7}. */
    public RefrainClientBuilder keyGenerator(IdempotencyKeyGenerator mint) {
        this.keyGenerator = mint;
        return this;
    }

    /** Where intents are until they are answered; by default {@link PendingRequestStore#inMemory}, which a crash forgets. */
    public RefrainClientBuilder pendingRequests(PendingRequestStore where) {
        this.pendingRequests = where;
        return this;
    }

    /**
     * Tries an error of the server, such as a plain 500, again even if nothing in it says so. For servers that do not keep such
     * answers; one that does gives the same answer again.
     */
    public RefrainClientBuilder retryServerErrors() {
        this.rules = ClientRetryRules.SERVER_ERRORS_TOO;
        return this;
    }

    /** By default {@link ClientRetryBackoff#DEFAULT}: up to 200 ms, doubling up to 10 s. */
    public RefrainClientBuilder backoff(ClientRetryBackoff pauses) {
        this.backoff = pauses;
        return this;
    }

    /** How long one attempt may take, with the whole answer; by default 30 s. */
    public RefrainClientBuilder attemptTimeout(Duration atMost) {
        this.attemptTimeout = positive("attempt-timeout", atMost);
        return this;
    }

    /** How long one call may take with all its attempts and pauses; by default 2 min. */
    public RefrainClientBuilder deadline(Duration atMost) {
        this.deadline = positive("deadline", atMost);
        return this;
    }

    /**
     * For how long the server remembers a key; by default 24 h. No retry is sent later than that after the first sending. Where
     * {@link #contractUri} is given, this holds only for requests of which it says nothing, and until it can be read.
     */
    public RefrainClientBuilder retention(Duration published) {
        this.retention = positive("retention", published);
        return this;
    }

    /**
     * Where the server publishes for how long it remembers the keys of each route: {@code /refrain/contract.json} below an
     * application that Refrain protects. It is read before the first request to that server, with what {@link #eachAttempt} sets, and
     * again after an hour. An intent keeps what it said then. Where it says that keys are only observed, a request is sent once.
     */
    public RefrainClientBuilder contractUri(URI published) {
        if (published.getRawAuthority() == null) {
            throw new IllegalArgumentException("contract: '" + published + "' must be whole, with scheme and host.");
        }
        this.contractUri = Optional.of(published);
        return this;
    }

    public RefrainClientBuilder clock(ClientClock clocks) {
        this.clock = clocks;
        return this;
    }

    /** What pauses are drawn with. */
    public RefrainClientBuilder random(RandomGenerator source) {
        this.random = source;
        return this;
    }

    public RefrainClient build() {
        return new RefrainClient(
                sender.orElseGet(this::overHttp),
                new ClientRetryLoop(rules, backoff, attemptTimeout, deadline, clock, random),
                pendingRequests,
                keyGenerator,
                retentions());
    }

    private RefrainClient.RetentionLookup retentions() {
        var otherwise = retention;
        if (contractUri.isEmpty()) {
            return request -> otherwise;
        }
        var published = new ServerContractCache(
                contractUri.get(), httpClient.orElseGet(HttpClient::newHttpClient), eachAttempt, clock);
        return request -> published.retentionOf(request).orElse(otherwise);
    }

    private PendingRequestSender overHttp() {
        var client = httpClient.orElseGet(
                () -> HttpClient.newBuilder().followRedirects(redirects).build());
        if ((client.followRedirects() == NEVER) != (redirects == NEVER)) {
            throw new IllegalArgumentException("http: the client given has followRedirects "
                    + client.followRedirects() + ", but " + redirects
                    + " is asked for here. A redirect is followed under a key only if both say so.");
        }
        return new JdkHttpSender(client, eachAttempt);
    }

    private static Duration positive(String setting, Duration given) {
        if (!given.isPositive()) {
            throw new IllegalArgumentException(setting + " must be more than 0, but is " + given + ".");
        }
        return given;
    }
}
