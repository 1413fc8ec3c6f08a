package dev.refrain.gateway.internal.config;

import dev.refrain.gateway.internal.scope.ApiKeyScopeResolver;
import dev.refrain.gateway.internal.scope.CertificateScopeResolver;
import dev.refrain.gateway.internal.scope.CidrBlock;
import dev.refrain.gateway.internal.scope.GatewayScopeResolver;
import dev.refrain.gateway.internal.scope.JwtScopeResolver;
import dev.refrain.gateway.internal.scope.TrustedHeaderScopeResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Reads how the scope of a request is found. Thread-safe. */
final class ScopeConfigReader {

    private static final String PATH = "gateway.scope";

    private final Map<String, String> environment;
    private final AtomicReference<@Nullable CachedJwtResolver> lastJwt = new AtomicReference<>();

    /** Resolver of the last configuration, with the settings it was made from. */
    private record CachedJwtResolver(RawConfig.Jwt said, GatewayScopeResolver scope) {}

    ScopeConfigReader(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * @param word the value of {@code refrain.scope}, which the Spring starter has too
     * @throws GatewayConfigException if nothing is said: one caller's answer would be given to another unasked
     */
    GatewayScopeResolver read(RawConfig.@Nullable Scope said, @Nullable String word, RawConfig.@Nullable Tls tls) {
        var found = new ArrayList<GatewayScopeResolver>();
        if (said != null && said.shared() != null && said.shared()) {
            found.add(GatewayScopeResolver.shared());
        }
        if (said != null && said.jwt() != null) {
            found.add(cachedJwt(said.jwt()));
        }
        if (said != null && said.apiKey() != null) {
            found.add(apiKey(said.apiKey()));
        }
        if (said != null && said.trustedHeader() != null) {
            found.add(trusted(said.trustedHeader()));
        }
        if (said != null && said.clientCertificate() != null && said.clientCertificate()) {
            if (tls == null || tls.clientCa() == null) {
                throw new GatewayConfigException(
                        PATH
                                + ".client-certificate is true, but gateway.tls.client-ca is not set. Name the file with the authorities whose client certificates are accepted.",
                        null);
            }
            found.add(new CertificateScopeResolver());
        }
        return singleResolver(found, word);
    }

    private static GatewayScopeResolver apiKey(RawConfig.ApiKey said) {
        String setting = PATH + ".api-key.header";
        String header = required(setting, said.header(), "X-Api-Key");
        if (header.equalsIgnoreCase("Cookie")) {
            throw new GatewayConfigException(
                    setting
                            + " is Cookie, but cookies change: a retry in a new session would run again. Use a header whose value stays, or jwt.",
                    null);
        }
        return new ApiKeyScopeResolver(header);
    }

    private static GatewayScopeResolver singleResolver(List<GatewayScopeResolver> found, @Nullable String word) {
        boolean shared = "shared".equalsIgnoreCase(word);
        if (word != null && !shared) {
            throw new GatewayConfigException(
                    "refrain.scope is '" + word + "', but may be shared here; " + PATH
                            + " says how the caller is found.",
                    null);
        }
        if (found.size() > 1 || (shared && !found.isEmpty())) {
            throw new GatewayConfigException(
                    PATH
                            + " names more than one source of the scope. Keep one of shared, jwt, api-key, client-certificate and trusted-header.",
                    null);
        }
        if (!found.isEmpty()) {
            return found.getFirst();
        }
        if (!shared) {
            throw new GatewayConfigException(
                    PATH
                            + " is not set. Say whose keys they are: jwt, api-key, client-certificate or trusted-header with its settings; or shared, if every caller may get the answers of every other.",
                    null);
        }
        return GatewayScopeResolver.shared();
    }

    /** Reuses the resolver while its settings are unchanged, so that fetched keys survive a reload. */
    private GatewayScopeResolver cachedJwt(RawConfig.Jwt said) {
        var known = lastJwt.get();
        if (known != null && known.said().equals(said)) {
            return known.scope();
        }
        var scope = jwt(said);
        lastJwt.set(new CachedJwtResolver(said, scope));
        return scope;
    }

    private GatewayScopeResolver jwt(RawConfig.Jwt said) {
        String path = PATH + ".jwt";
        if ((said.jwks() == null) == (said.secretVariable() == null)) {
            throw new GatewayConfigException(
                    path
                            + " needs one of jwks (a file or an https address) and secret-variable (the variable with the shared secret).",
                    null);
        }
        var demands = new JwtScopeResolver.JwtRequirements(
                said.claim() == null ? "sub" : said.claim(), said.issuer(), said.audience());
        try {
            return said.jwks() != null
                    ? JwtScopeResolver.ofKeys(said.jwks(), demands)
                    : JwtScopeResolver.ofSecret(secret(path, String.valueOf(said.secretVariable())), demands);
        } catch (IllegalArgumentException e) {
            throw new GatewayConfigException(path + ": " + e.getMessage(), e);
        }
    }

    private String secret(String path, String variable) {
        String secret = environment.get(variable);
        if (secret == null || secret.isEmpty()) {
            throw new GatewayConfigException(
                    path + ".secret-variable is " + variable + ", but this environment variable is not set or empty.",
                    null);
        }
        return secret;
    }

    private static GatewayScopeResolver trusted(RawConfig.TrustedHeader said) {
        String path = PATH + ".trusted-header";
        if (said.from() == null || said.from().isEmpty()) {
            throw new GatewayConfigException(
                    path + ".from is not set. List the networks of your proxies, such as [10.0.0.0/8].", null);
        }
        try {
            return new TrustedHeaderScopeResolver(
                    required(path + ".header", said.header(), "X-User"),
                    said.from().stream().map(CidrBlock::of).toList());
        } catch (IllegalArgumentException e) {
            throw new GatewayConfigException(path + ".from: " + e.getMessage(), e);
        }
    }

    private static String required(String setting, @Nullable String said, String such) {
        if (said == null || said.isBlank()) {
            throw new GatewayConfigException(setting + " is not set; it may be a header such as " + such + ".", null);
        }
        return said.strip();
    }
}
