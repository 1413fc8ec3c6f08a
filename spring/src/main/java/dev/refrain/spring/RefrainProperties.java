package dev.refrain.spring;

import dev.refrain.http.settings.RouteSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All settings of {@code refrain.*}.
 *
 * @param enabled whether handlers are protected at all
 * @param routes what holds for single routes, each under a name of its own; it goes before what the code says
 * @param scope whose keys a request uses: {@code principal} for the authenticated caller, {@code one-tenant} if there is only one
 */
@ConfigurationProperties(prefix = "refrain", ignoreUnknownFields = false)
public record RefrainProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("") String scope,
        @DefaultValue Store store,
        @DefaultValue Http http,
        @DefaultValue Map<String, RouteSettings> routes,
        @DefaultValue Outgoing outgoing,
        @DefaultValue Chores chores,
        @DefaultValue Waiters waiters,
        @DefaultValue Cache cache,
        @DefaultValue Quota quota,
        @DefaultValue Completer completer,
        @DefaultValue Outbox outbox,
        @DefaultValue Relay relay,
        @DefaultValue Console console) {

    /**
     * Flows that their callers left.
     *
     * @param enabled whether this instance finishes them
     * @param every how often they are looked for
     * @param grace how long after its lease a flow is left to a retry of its caller
     * @param pause until the second attempt; twice as long before each further one, up to an hour
     * @param attempts after so many a person has to look
     * @param atOnce how many are being finished at a time
     */
    public record Completer(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("15s") Duration every,
            @DefaultValue("60s") Duration grace,
            @DefaultValue("15s") Duration pause,
            @DefaultValue("10") int attempts,
            @DefaultValue("16") int atOnce) {}

    /**
     * Messages that are staged in transactions.
     *
     * @param maxBody the largest message; a larger one is refused when it is staged
     */
    public record Outbox(@DefaultValue("1MB") DataSize maxBody) {

        /** PostgreSQL has room for less than a gigabyte in a value. */
        private static final long MOST = DataSize.ofMegabytes(512).toBytes();

        public Outbox {
            if (maxBody.isNegative() || maxBody.toBytes() > MOST) {
                throw new IllegalArgumentException(
                        "refrain.outbox.max-body is " + maxBody + ", but may be from 0B to 512MB.");
            }
        }
    }

    /**
     * What delivers staged messages, to where the {@link RelayCustomizer} beans say.
     *
     * @param enabled whether this instance delivers
     * @param pollEvery how often it looks where nobody wakes it
     * @param timeToFinish how long a stopping application waits for deliveries that are under way
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1s") Duration pollEvery,
            @DefaultValue("30s") Duration timeToFinish) {

        public Relay {
            if (!pollEvery.isPositive()) {
                throw new IllegalArgumentException("refrain.relay.poll-every is " + pollEvery
                        + ", but has to be longer than nothing, such as 1s.");
            }
            if (timeToFinish.isNegative()) {
                throw new IllegalArgumentException("refrain.relay.time-to-finish is " + timeToFinish
                        + ", but may not be negative: 30s, or 0s to wait for nothing.");
            }
        }
    }

    /**
     * Calls to other systems from inside an operation.
     *
     * @param enabled whether the application's clients put the derived key on them
     * @param insideTransaction what becomes of one that is made inside a transactional operation: {@code refuse} or {@code warn}
     */
    public record Outgoing(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("refuse") String insideTransaction) {}

    /**
     * @param migrate whether Refrain makes and upgrades its tables; leave it to Flyway or Liquibase by {@code false}
     * @param schema the PostgreSQL schema of the tables; empty for the first on the search path
     * @param lockTimeout how long a batch waits for a row that someone else holds
     * @param statementTimeout how long one statement may take
     */
    public record Store(
            @DefaultValue("true") boolean migrate,
            @DefaultValue("") String schema,
            @DefaultValue("250ms") Duration lockTimeout,
            @DefaultValue("5s") Duration statementTimeout) {}

    /**
     * What holds for handlers that do not say otherwise.
     *
     * @param key {@code required}, {@code optional}, {@code mint} or {@code observe}
     * @param headers where the key may stand, in order of preference; {@code body:name} for a field of the body
     * @param strict take only a structured string, with its quotes
     * @param minKeyBytes the shortest key
     * @param maxKeyBytes the longest key
     * @param profile which answers are kept: default, stripe, square, success-only or adyen
     * @param retention how long answers are kept, such as {@code 24h}; or {@code for-ever}
     * @param inFlight {@code reject}, {@code wait}, {@code wait 5s} or {@code async}
     * @param maxRequest the largest request body
     * @param maxAnswer the largest answer that is kept
     * @param markReplays whether a replay says so
     * @param hiddenHeaders headers that are not kept
     * @param lease how long a claim holds unrenewed
     * @param maxRun how long a handler may run
     * @param patience how long a claim may wait for the store
     * @param basePath where the contract and the status of requests are served
     * @param filterOrder where the filter stands: behind whatever authenticates
     */
    public record Http(
            @DefaultValue("required") String key,
            @DefaultValue("Idempotency-Key") List<String> headers,
            @DefaultValue("false") boolean strict,
            @DefaultValue("1") int minKeyBytes,
            @DefaultValue("255") int maxKeyBytes,
            @DefaultValue("default") String profile,
            @DefaultValue("24h") String retention,
            @DefaultValue("reject") String inFlight,
            @DefaultValue("1MB") DataSize maxRequest,
            @DefaultValue("1MB") DataSize maxAnswer,
            @DefaultValue("true") boolean markReplays,
            @DefaultValue List<String> hiddenHeaders,
            @DefaultValue("30s") Duration lease,
            @DefaultValue("10m") Duration maxRun,
            @DefaultValue("3s") Duration patience,
            @DefaultValue("/refrain") String basePath,
            @DefaultValue("0") int filterOrder) {}

    /**
     * Web pages for people.
     *
     * @param enabled whether they are served; the store then makes the index that they browse by, if its table is small
     * @param path where they are served
     * @param passwordHash the password that lets in, as {@code pbkdf2-sha256:ROUNDS:SALT:HASH}
     * @param role who is let in where the application authenticates, such as by Spring Security; not with a password hash
     */
    public record Console(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/refrain-console") String path,
            @DefaultValue("") String passwordHash,
            @DefaultValue("") String role) {}

    /**
     * @param sweepEvery how often abandoned claims are looked for
     * @param grace how long after its lease an abandoned claim is left to a retry
     * @param reapEvery how often expired records are deleted
     */
    public record Chores(
            @DefaultValue("15s") Duration sweepEvery,
            @DefaultValue("60s") Duration grace,
            @DefaultValue("1m") Duration reapEvery) {}

    /**
     * Retries that wait for the one that runs. What comes above is told that it is in progress.
     *
     * @param perScope how many may wait in one scope
     * @param perInstance how many may wait in this process
     */
    public record Waiters(
            @DefaultValue("1000") int perScope,
            @DefaultValue("10000") int perInstance) {}

    /**
     * Outcomes that are replayed without asking the store.
     *
     * @param bytes most memory for them; 0 for none
     * @param longest how long the outcome of an erased record may still be replayed here
     */
    public record Cache(
            @DefaultValue("32MB") DataSize bytes,
            @DefaultValue("60s") Duration longest) {}

    /** @param keysPerScope how many keys a scope may hold; no limit unless it is said */
    public record Quota(@Nullable Long keysPerScope) {}
}
