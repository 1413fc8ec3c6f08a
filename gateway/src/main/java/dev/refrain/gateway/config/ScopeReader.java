package dev.refrain.gateway.config;

import dev.refrain.gateway.scope.ApiKeyScope;
import dev.refrain.gateway.scope.CertificateScope;
import dev.refrain.gateway.scope.JwtScope;
import dev.refrain.gateway.scope.Network;
import dev.refrain.gateway.scope.ScopeSource;
import dev.refrain.gateway.scope.TrustedHeaderScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whose keys a request uses, as a file says it. Thread-safe. */
final class ScopeReader {

    private static final String PATH = "gateway.scope";

    private final Map<String, String> environment;
    private final AtomicReference<@Nullable Tokens> before = new AtomicReference<>();

    /** How tokens are verified. */
    private record Tokens(Said.Jwt said, ScopeSource scope) {}

    ScopeReader(Map<String, String> environment) {
        this.environment = environment;
    }

    ScopeSource read(Said.@Nullable Scope said, @Nullable String word, Said.@Nullable Tls tls, List<String> remarks) {
        var found = new ArrayList<ScopeSource>();
        if (said != null && said.jwt() != null) {
            found.add(remembered(said.jwt()));
        }
        if (said != null && said.apiKey() != null) {
            found.add(new ApiKeyScope(
                    required(PATH + ".api-key.header", said.apiKey().header(), "X-Api-Key")));
        }
        if (said != null && said.trustedHeader() != null) {
            found.add(trusted(said.trustedHeader()));
        }
        if (said != null && said.clientCertificate() != null && said.clientCertificate()) {
            if (tls == null || tls.clientCa() == null) {
                throw new ConfigException(
                        PATH
                                + ".client-certificate is true, but gateway.tls.client-ca does not say whose certificates are taken.",
                        null);
            }
            found.add(new CertificateScope());
        }
        return one(found, word, remarks);
    }

    private static ScopeSource one(List<ScopeSource> found, @Nullable String word, List<String> remarks) {
        boolean oneTenant = "one-tenant".equalsIgnoreCase(word);
        if (word != null && !oneTenant) {
            throw new ConfigException(
                    "refrain.scope is '" + word + "', but may be one-tenant here; who sends a request is said by "
                            + PATH + ".",
                    null);
        }
        if (found.size() > 1 || (oneTenant && !found.isEmpty())) {
            throw new ConfigException(
                    PATH
                            + " says more than one way to tell who sends a request; it may be one of jwt, api-key, client-certificate and trusted-header.",
                    null);
        }
        if (!found.isEmpty()) {
            return found.getFirst();
        }
        if (!oneTenant) {
            remarks.add(
                    "No scope is configured: there is one tenant, and all callers share their keys. Say who sends a request by "
                            + PATH + ", or that this is meant by refrain.scope: one-tenant.");
        }
        return ScopeSource.singleTenant();
    }

    /** Who changes something else does not lose the keys that were fetched: their address may be away. */
    private ScopeSource remembered(Said.Jwt said) {
        var known = before.get();
        if (known != null && known.said().equals(said)) {
            return known.scope();
        }
        var scope = jwt(said);
        before.set(new Tokens(said, scope));
        return scope;
    }

    private ScopeSource jwt(Said.Jwt said) {
        String path = PATH + ".jwt";
        if ((said.jwks() == null) == (said.secretVariable() == null)) {
            throw new ConfigException(
                    path
                            + " needs one of jwks (a file or an https address) and secret-variable (the variable with the shared secret).",
                    null);
        }
        var demands = new JwtScope.Demands(said.claim() == null ? "sub" : said.claim(), said.issuer(), said.audience());
        try {
            return said.jwks() != null
                    ? JwtScope.ofKeys(said.jwks(), demands)
                    : JwtScope.ofSecret(secret(path, String.valueOf(said.secretVariable())), demands);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(path + ": " + e.getMessage(), e);
        }
    }

    private String secret(String path, String variable) {
        String secret = environment.get(variable);
        if (secret == null || secret.isEmpty()) {
            throw new ConfigException(
                    path + ".secret-variable is " + variable + ", but there is no such variable.", null);
        }
        return secret;
    }

    private static ScopeSource trusted(Said.TrustedHeader said) {
        String path = PATH + ".trusted-header";
        if (said.from() == null || said.from().isEmpty()) {
            throw new ConfigException(
                    path
                            + ".from is not set; it may be a list of the networks whose word is taken, such as [10.0.0.0/8].",
                    null);
        }
        try {
            return new TrustedHeaderScope(
                    required(path + ".header", said.header(), "X-User"),
                    said.from().stream().map(Network::of).toList());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(path + ".from: " + e.getMessage(), e);
        }
    }

    private static String required(String setting, @Nullable String said, String such) {
        if (said == null || said.isBlank()) {
            throw new ConfigException(setting + " is not set; it may be a header such as " + such + ".", null);
        }
        return said.strip();
    }
}
