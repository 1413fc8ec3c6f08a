package dev.refrain.gateway.internal.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.refrain.http.internal.settings.RouteSettings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Content of a configuration file before validation. Missing settings are null. */
record RawConfig(@Nullable Gateway gateway, @Nullable Refrain refrain) {

    static final Gateway NO_GATEWAY = new Gateway(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null);
    static final Refrain NO_REFRAIN =
            new Refrain(null, null, null, null, null, null, null, null, null, null, null, null);

    /**
     * @param listen a port, or a host and a port
     * @param admin the same for health and metrics; {@code off} for none
     */
    record Gateway(
            @Nullable String listen,
            @Nullable String admin,
            @Nullable Console console,
            @Nullable String upstream,
            @Nullable Boolean preserveHost,
            @Nullable String upstreamCa,
            @Nullable String upstreamIdle,
            @Nullable String connectTimeout,
            @Nullable String keepAlive,
            @Nullable Integer connections,
            @Nullable Integer queued,
            @Nullable String clientIdle,
            @Nullable String clientHead,
            @Nullable String clientRate,
            @Nullable Integer clientConnections,
            @Nullable String maxHeader,
            @Nullable String drain,
            @Nullable String accessLog,
            @Nullable Tls tls,
            @Nullable Scope scope,
            @Nullable String others,
            @Nullable String logKeys) {}

    /** Settings of the console, which is served if they are present. */
    record Console(@Nullable String listen, @Nullable String passwordHash) {

        /** Returns the settings without the password hash. */
        @Override
        public String toString() {
            return "Console[" + listen + ", …]";
        }
    }

    /**
     * The PEM files of {@code gateway.tls}.
     *
     * @param keyPasswordVariable the environment variable that holds the password of an encrypted key
     */
    record Tls(
            @Nullable String certificate,
            @Nullable String key,
            @Nullable String keyPasswordVariable,
            @Nullable String clientCa) {}

    /**
     * Sources of the scope, of which one must be set.
     *
     * @param shared whether all callers share their keys; {@code scope: shared} says the same
     */
    record Scope(
            @Nullable Boolean shared,
            @Nullable Jwt jwt,
            @Nullable ApiKey apiKey,
            @Nullable Boolean clientCertificate,
            @Nullable TrustedHeader trustedHeader) {

        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        Scope {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Scope ofWord(String word) {
            if (!word.equalsIgnoreCase("shared")) {
                throw new GatewayConfigException(
                        "gateway.scope is '" + word
                                + "', but may be shared, or one of jwt, api-key, client-certificate and trusted-header with its settings.",
                        null);
            }
            return new Scope(true, null, null, null, null);
        }
    }

    record Jwt(
            @Nullable String claim,
            @Nullable String jwks,
            @Nullable String secretVariable,
            @Nullable String issuer,
            @Nullable String audience) {}

    record ApiKey(@Nullable String header) {}

    record TrustedHeader(@Nullable String header, @Nullable List<String> from) {}

    /** Settings that the Spring starter has too. */
    record Refrain(
            @Nullable String scope,
            @Nullable String namespace,
            @Nullable Store store,
            @Nullable RouteSettings http,
            @Nullable String basePath,
            @Nullable Map<String, Route> routes,
            @Nullable Maintenance maintenance,
            @Nullable Waiters waiters,
            @Nullable Cache cache,
            @Nullable Integer maxKeysPerScope,
            @Nullable String maxBufferedBytes,
            @Nullable String instanceName) {}

    record Store(
            @Nullable String url,
            @Nullable String replayFrom,
            @Nullable Boolean migrate,
            @Nullable String schema) {}

    record Maintenance(
            @Nullable String sweepInterval,
            @Nullable String sweepGracePeriod,
            @Nullable String reapInterval) {}

    record Waiters(@Nullable Integer perScope, @Nullable Integer perInstance) {}

    record Cache(@Nullable String maxBytes, @Nullable String maxAge) {}

    /** Settings of a route: those of every edge, and those of the gateway alone. */
    record Route(RouteSettings settings, Upstream upstream) {}

    record Upstream(
            @Nullable String forwardKey,
            @Nullable String upstreamHonoursKeys,
            @Nullable String lookup,
            @Nullable String serverErrors,
            @Nullable List<Integer> nothingHappenedOn,
            @Nullable String upstreamTimeout) {}
}
