package dev.refrain.gateway.config;

import dev.refrain.http.settings.RouteSettings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Content of a configuration file before validation. Missing settings are null. */
record RawConfig(@Nullable Gateway gateway, @Nullable Refrain refrain) {

    static final Gateway NO_GATEWAY = new Gateway(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null);
    static final Refrain NO_REFRAIN = new Refrain(null, null, null, null, null, null, null, null, null, null);

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
            @Nullable Scope scope) {}

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

    /** Sources of the scope, of which one may be set. */
    record Scope(
            @Nullable Jwt jwt,
            @Nullable ApiKey apiKey,
            @Nullable Boolean clientCertificate,
            @Nullable TrustedHeader trustedHeader) {}

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
            @Nullable Chores chores,
            @Nullable Waiters waiters,
            @Nullable Cache cache,
            @Nullable Quota quota) {}

    record Store(
            @Nullable String url,
            @Nullable Boolean migrate,
            @Nullable String schema) {}

    record Chores(
            @Nullable String sweepEvery,
            @Nullable String grace,
            @Nullable String reapEvery) {}

    record Waiters(@Nullable Integer perScope, @Nullable Integer perInstance) {}

    record Cache(@Nullable String bytes, @Nullable String longest) {}

    record Quota(@Nullable Integer keysPerScope) {}

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
