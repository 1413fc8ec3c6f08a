package dev.refrain.gateway.internal.scope;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Uses a claim of the verified bearer token as the scope. */
public final class JwtScopeResolver implements GatewayScopeResolver {

    private static final String BEARER = "Bearer ";
    private static final Set<JWSAlgorithm> SHARED = Set.of(JWSAlgorithm.HS256, JWSAlgorithm.HS384, JWSAlgorithm.HS512);
    private static final int LEAST_SECRET = 32;

    /** Minimum time between two fetches, so that tokens with unknown keys do not cause one each. */
    private static final Duration BETWEEN_FETCHES = Duration.ofSeconds(1);

    /** Time for which known keys are trusted while their address cannot be reached. */
    private static final Duration OUTAGE = Duration.ofHours(4);

    /** Type of access tokens (RFC 9068). */
    private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    private final String claim;

    /** @param claim whose value is the scope */
    public record JwtRequirements(
            String claim, @Nullable String issuer, @Nullable String audience) {}

    private JwtScopeResolver(JWKSource<SecurityContext> keys, Set<JWSAlgorithm> algorithms, JwtRequirements demands) {
        this.claim = demands.claim();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, ACCESS_TOKEN, null));
        var exact = new JWTClaimsSet.Builder();
        if (demands.issuer() != null) {
            exact.issuer(demands.issuer());
        }
        processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                demands.audience() == null ? null : new HashSet<>(List.of(demands.audience())),
                exact.build(),
                Set.of(demands.claim(), "exp"),
                null));
    }

    /** @param jwks a file, which is read again when it changes; or an address: then its keys are fetched, kept for a while, and fetched again when one is not known */
    public static JwtScopeResolver ofKeys(String jwks, JwtRequirements demands) {
        // Never one of the shared kind: a public key would be taken for the secret.
        var algorithms = new LinkedHashSet<JWSAlgorithm>();
        algorithms.addAll(JWSAlgorithm.Family.RSA);
        algorithms.addAll(JWSAlgorithm.Family.EC);
        return new JwtScopeResolver(source(jwks), algorithms, demands);
    }

    public static JwtScopeResolver ofSecret(String secret, JwtRequirements demands) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < LEAST_SECRET) {
            throw new IllegalArgumentException(
                    "the shared secret has " + bytes.length + " bytes, but must have " + LEAST_SECRET + " or more.");
        }
        return new JwtScopeResolver(new ImmutableSecret<>(bytes), SHARED, demands);
    }

    /** Requires TLS for keys that come over a network: an attacker who could replace them on the way could be anybody. */
    private static void requireTls(String jwks) {
        var address = URI.create(jwks);
        String host = String.valueOf(address.getHost());
        boolean here = host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
        if ("http".equalsIgnoreCase(address.getScheme()) && !here) {
            throw new IllegalArgumentException(
                    "jwks is '" + jwks + "', so anybody on the way could replace the keys. Use https, or a file.");
        }
    }

    private static JWKSource<SecurityContext> source(String jwks) {
        if (jwks.startsWith("http://")) {
            requireTls(jwks);
        }
        try {
            return jwks.startsWith("http://") || jwks.startsWith("https://")
                    ? JWKSourceBuilder.create(URI.create(jwks).toURL())
                            .rateLimited(BETWEEN_FETCHES.toMillis())
                            .outageTolerant(OUTAGE.toMillis())
                            .build()
                    : new JwksFile(Path.of(jwks));
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("jwks is '" + jwks + "', which is not a valid URL.", e);
        } catch (IOException | ParseException e) {
            throw new IllegalArgumentException("jwks: cannot read a key set from " + jwks + ": " + e.getMessage(), e);
        }
    }

    /** Returns the claim as text; empty for lists and objects, whose text could equal another caller's. */
    private static Optional<String> name(Object value) {
        return value instanceof String || value instanceof Long || value instanceof Integer
                ? Optional.of(value.toString())
                : Optional.empty();
    }

    @Override
    public Optional<String> scopeOf(Request request) {
        var sent = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        if (sent.size() != 1 || !sent.getFirst().regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        try {
            var verified =
                    processor.process(sent.getFirst().substring(BEARER.length()).strip(), null);
            return Optional.ofNullable(verified.getClaim(claim))
                    .flatMap(JwtScopeResolver::name)
                    .filter(value -> !value.isBlank());
        } catch (KeySourceException away) {
            throw new ScopeLookupFailedException(away);
        } catch (ParseException | BadJOSEException | JOSEException notVerified) {
            return Optional.empty();
        }
    }
}
