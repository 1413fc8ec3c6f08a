package dev.refrain.spring;

import dev.refrain.api.DurationText;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.internal.settings.ProfileSetting;
import dev.refrain.http.internal.settings.RouteSettings;
import dev.refrain.http.outgoing.CallInTransactionPolicy;
import dev.refrain.observe.LoggedKeyFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All settings under {@code refrain.*}.
 *
 * @param enabled whether handlers are protected
 * @param store settings of the default store, which holds the keys of everything that names no store
 * @param stores further stores by name, for operations that say which
 * @param routes settings of single routes by name; they take precedence over code
 * @param maxKeysPerScope how many keys a scope may hold; unlimited by default
 * @param maxBufferedBytes memory in which the bodies of requests and responses are buffered; a quarter of the heap by default
 * @param instanceName how this process is called in the attempts of records; host name and process id by default
 * @param scope scope of a request's keys: {@code principal} for the authenticated caller, {@code shared} if there is only one
 *     tenant
 */
@ConfigurationProperties(prefix = "refrain", ignoreUnknownFields = false)
public record RefrainProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("") String scope,
        @DefaultValue Store store,
        @DefaultValue Map<String, NamedStore> stores,
        @DefaultValue Http http,
        @DefaultValue Map<String, RouteSettings> routes,
        @DefaultValue Outgoing outgoing,
        @DefaultValue Maintenance maintenance,
        @DefaultValue Waiters waiters,
        @DefaultValue Cache cache,
        @Nullable Long maxKeysPerScope,
        @Nullable DataSize maxBufferedBytes,
        @Nullable String instanceName,
        @DefaultValue Completer completer,
        @DefaultValue Outbox outbox,
        @DefaultValue Relay relay,
        @DefaultValue Console console,
        @DefaultValue Encryption encryption) {

    /**
     * Settings of encryption. Needs {@code refrain-store-encryption} on the class path.
     *
     * @param keys keys that encrypt what is stored, as {@code id=BASE64,id=BASE64}: the current one first; empty to store in the clear
     * @param readPlain whether to read also what was stored before encryption was enabled
     */
    public record Encryption(
            @DefaultValue("") String keys,
            @DefaultValue("false") boolean readPlain) {

        /** Shows no secret. */
        @Override
        public String toString() {
            return "Encryption[keys=" + (keys.isEmpty() ? "" : "***") + ", readPlain=" + readPlain + "]";
        }
    }

    /**
     * Settings of the completer, which finishes flows abandoned by their callers.
     *
     * @param enabled whether this instance completes abandoned flows
     * @param interval how often to look for them
     * @param gracePeriod how long after its lease a flow is left to a retry by its caller
     * @param firstBackoff delay before the second attempt; doubles with each further one, up to an hour
     * @param maxAttempts number of attempts after which the flow needs attention
     * @param maxConcurrent how many flows are completed concurrently
     */
    public record Completer(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("15s") Duration interval,
            @DefaultValue("60s") Duration gracePeriod,
            @DefaultValue("15s") Duration firstBackoff,
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("16") int maxConcurrent) {}

    /**
     * Settings of the outbox.
     *
     * @param maxBodyBytes the largest message body; staging a larger one fails
     */
    public record Outbox(@DefaultValue("1MB") DataSize maxBodyBytes) {

        /** Largest allowed limit; a PostgreSQL value holds less than 1 GB. */
        private static final long MOST = DataSize.ofMegabytes(512).toBytes();

        public Outbox {
            if (maxBodyBytes.isNegative() || maxBodyBytes.toBytes() > MOST) {
                throw new IllegalArgumentException(
                        "refrain.outbox.max-body-bytes is " + maxBodyBytes + ", but may be from 0B to 512MB.");
            }
        }
    }

    /**
     * Settings of the relay, which delivers staged messages to the targets of the {@link RelayCustomizer} beans.
     *
     * @param enabled whether this instance delivers messages
     * @param pollInterval how often to poll for messages that no notification announced
     * @param closeTimeout how long a stopping application waits for deliveries in progress
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("30s") Duration closeTimeout) {

        public Relay {
            if (!pollInterval.isPositive()) {
                throw new IllegalArgumentException("refrain.relay.poll-interval is " + DurationText.of(pollInterval)
                        + ", but must be positive, such as 1s.");
            }
            if (closeTimeout.isNegative()) {
                throw new IllegalArgumentException("refrain.relay.close-timeout is " + DurationText.of(closeTimeout)
                        + ", but must not be negative. Use a time such as 30s, or 0s to not wait.");
            }
        }
    }

    /**
     * Settings of calls to other systems made inside an operation.
     *
     * @param enabled whether the application's HTTP clients add the derived key to calls
     * @param insideTransaction handling of calls made inside a transactional operation: {@code refuse} or {@code warn}
     */
    public record Outgoing(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("refuse") CallInTransactionPolicy insideTransaction) {}

    /** Source of the connections that the store holds for itself. */
    public enum ConnectionSource {
        /** The application's pool, if at least three connections are left to the application; otherwise separate ones. */
        AUTO,

        /** The application's pool. */
        SHARED,

        /** A small pool beside the application's, with the same settings. */
        SEPARATE
    }

    /**
     * Settings of the store.
     *
     * @param url where the store is, if it is not in a database, such as {@code redis://HOST:PORT}
     * @param replayFrom the Redis that replays completed outcomes before the store is asked, such as {@code redis://HOST:PORT?key-prefix=NAME}
     * @param dataSource name of the DataSource bean in whose database the keys are stored, where there are several
     * @param connections where the connections come from that the store holds for itself
     * @param migrate whether Refrain creates and migrates its tables; {@code false} leaves that to Flyway or Liquibase
     * @param schema the PostgreSQL schema of the tables; empty for the first on the search path
     * @param lockTimeout how long a call waits for a locked row; by default 5 ms in a batch, 250 ms elsewhere
     * @param statementTimeout how long one statement may take
     * @param borrowOnAnyThread whether another thread than the request's may borrow a connection for its transaction, so that the wait for it
     *     ends in time on a silent network too; by default only from a HikariDataSource itself, because any other may choose by thread
     */
    public record Store(
            @DefaultValue("") String url,
            @DefaultValue("") String replayFrom,
            @DefaultValue("") String dataSource,
            @DefaultValue("auto") ConnectionSource connections,
            @DefaultValue("true") boolean migrate,
            @DefaultValue("") String schema,
            @Nullable Duration lockTimeout,
            @DefaultValue("5s") Duration statementTimeout,
            @Nullable Boolean borrowOnAnyThread) {}

    /**
     * Settings of a store that operations choose by its name: the database of a DataSource, or a Store bean of the application.
     *
     * @param bean name of the Store bean; empty if the store is elsewhere
     * @param url where the store is, if it is not in a database, such as {@code redis://HOST:PORT}
     * @param httpNamespace namespace of the keys of its HTTP routes. Routes of two stores cannot share one
     * @param dataSource name of the DataSource bean in whose database the keys are stored
     * @param connections where the connections come from that the store holds for itself
     * @param migrate whether Refrain creates and migrates its tables; {@code false} leaves that to Flyway or Liquibase
     * @param schema the PostgreSQL schema of the tables; empty for the first on the search path
     * @param lockTimeout how long a call waits for a locked row; by default 5 ms in a batch, 250 ms elsewhere
     * @param statementTimeout how long one statement may take
     * @param borrowOnAnyThread whether another thread than the request's may borrow a connection for its transaction, so that the wait for it
     *     ends in time on a silent network too; by default only from a HikariDataSource itself, because any other may choose by thread
     */
    public record NamedStore(
            @DefaultValue("") String bean,
            @DefaultValue("") String url,
            @DefaultValue(RouteProtection.NAMESPACE) String httpNamespace,
            @DefaultValue("") String dataSource,
            @DefaultValue("auto") ConnectionSource connections,
            @DefaultValue("true") boolean migrate,
            @DefaultValue("") String schema,
            @Nullable Duration lockTimeout,
            @DefaultValue("5s") Duration statementTimeout,
            @Nullable Boolean borrowOnAnyThread) {

        private static final Store UNSET =
                new Store("", "", "", ConnectionSource.AUTO, true, "", null, Duration.ofSeconds(5), null);

        /** Returns the settings that go with a DataSource. */
        Store ofDataSource() {
            return new Store(
                    "", "", dataSource, connections, migrate, schema, lockTimeout, statementTimeout, borrowOnAnyThread);
        }

        /** Returns true if one of the settings is set that go with a DataSource. */
        boolean isOnDataSource() {
            return !ofDataSource().equals(UNSET);
        }
    }

    /**
     * Defaults for HTTP handlers.
     *
     * @param keyRequirement {@code required}, {@code optional}, {@code mint} or {@code observe}
     * @param keySources sources of the key, in order of preference; {@code body:name} for a body field
     * @param keySyntax {@code strict} to accept only a structured string, with its quotes; or {@code lenient}
     * @param minKeyBytes the shortest key
     * @param maxKeyBytes the longest key
     * @param profile the rules for stored responses: default, stripe, square, success-only or adyen
     * @param retention how long responses are stored, such as {@code 24h}; or {@code for-ever}
     * @param inFlight {@code reject}, {@code wait}, {@code wait 5s} or {@code async}
     * @param maxRequestBytes the largest request body
     * @param maxOutcomeBytes the largest response that is stored
     * @param markReplays whether a replay carries {@code Idempotent-Replayed: true}
     * @param hiddenHeaders headers that are not stored
     * @param lease how long a claim is held without a heartbeat
     * @param maxRunTime how long a handler may run
     * @param storeTimeout how long a claim may wait for the store
     * @param requireCorrectStore reject a store that cannot guarantee every invariant, such as Redis
     * @param keepRequest whether a leased request is kept for people until its record is settled: {@code never}, {@code encrypted} or
     *     {@code always}
     * @param maxKeptRequestBytes the longest body that is kept whole
     * @param keptRequestHeaders headers that are kept; empty for the default ones
     * @param redactedFields body fields that are not kept, as JSON pointers
     * @param logKeys how the log shows keys of requests whose outcome is unknown: {@code shortened}, {@code full} or {@code off}
     * @param basePath base path of the contract and of the status of requests
     * @param filterOrder order of the filter; it must come after authentication
     */
    public record Http(
            @DefaultValue("required") KeyRequirement keyRequirement,
            @DefaultValue("Idempotency-Key") List<String> keySources,
            @DefaultValue("lenient") KeySyntax keySyntax,
            @DefaultValue("1") int minKeyBytes,
            @DefaultValue("255") int maxKeyBytes,
            @DefaultValue("default") ProfileSetting profile,
            @DefaultValue("24h") String retention,
            @DefaultValue("reject") String inFlight,
            @DefaultValue("1MB") DataSize maxRequestBytes,
            @DefaultValue("1MB") DataSize maxOutcomeBytes,
            @DefaultValue("true") boolean markReplays,
            @DefaultValue List<String> hiddenHeaders,
            @DefaultValue("30s") Duration lease,
            @DefaultValue("10m") Duration maxRunTime,
            @DefaultValue("3s") Duration storeTimeout,
            @DefaultValue("false") boolean requireCorrectStore,
            @DefaultValue("encrypted") KeptRequestRule keepRequest,
            @DefaultValue("16KB") DataSize maxKeptRequestBytes,
            @DefaultValue List<String> keptRequestHeaders,
            @DefaultValue List<String> redactedFields,
            @DefaultValue("shortened") LoggedKeyFormat logKeys,
            @DefaultValue("/refrain") String basePath,
            @DefaultValue("0") int filterOrder) {}

    /**
     * Settings of the operator console.
     *
     * @param enabled whether the console is served; the store then creates the index for browsing, if its table is small
     * @param path base path of the console
     * @param passwordHash the operator password, as {@code pbkdf2-sha256:ROUNDS:SALT:HASH}
     * @param role role required of users whom the application authenticates, for example with Spring Security; not together with
     *     a password hash
     */
    public record Console(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/refrain-console") String path,
            @DefaultValue("") String passwordHash,
            @DefaultValue("") String role) {}

    /**
     * Settings of background maintenance.
     *
     * @param sweepInterval how often to look for abandoned claims
     * @param sweepGracePeriod how long after its lease an abandoned claim is left to a retry
     * @param reapInterval how often expired records are deleted
     */
    public record Maintenance(
            @DefaultValue("15s") Duration sweepInterval,
            @DefaultValue("60s") Duration sweepGracePeriod,
            @DefaultValue("1m") Duration reapInterval) {}

    /**
     * Limits of retries that wait for a running request. A retry above a limit is rejected as in progress.
     *
     * @param perScope how many may wait in one scope
     * @param perInstance how many may wait in this process
     */
    public record Waiters(
            @DefaultValue("1000") int perScope,
            @DefaultValue("10000") int perInstance) {}

    /**
     * Settings of the cache that replays outcomes without a query to the store.
     *
     * @param maxBytes maximum memory; 0 disables the cache
     * @param maxAge how long the outcome of an erased record may still be replayed by this instance
     */
    public record Cache(
            @DefaultValue("32MB") DataSize maxBytes,
            @DefaultValue("60s") Duration maxAge) {}
}
