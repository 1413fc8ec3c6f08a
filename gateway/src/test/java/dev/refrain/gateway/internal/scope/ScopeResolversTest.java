package dev.refrain.gateway.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeResolversTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final JwtScopeResolver.JwtRequirements DEMANDS =
            new JwtScopeResolver.JwtRequirements("sub", "https://issuer", "api");

    @TempDir
    private Path folder;

    /** A request of which only its headers and its peer are looked at. */
    private static Request request(HttpFields headers, String peer) {
        return (Request) Proxy.newProxyInstance(
                ScopeResolversTest.class.getClassLoader(),
                new Class<?>[] {Request.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getHeaders" -> headers;
                    case "getConnectionMetaData" ->
                        Proxy.newProxyInstance(
                                ScopeResolversTest.class.getClassLoader(),
                                new Class<?>[] {ConnectionMetaData.class},
                                (meta, asked, none) -> new InetSocketAddress(InetAddress.getByName(peer), 1234));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static Request with(String name, String value) {
        return request(HttpFields.build().add(name, value), "127.0.0.1");
    }

    private static String token(JWSAlgorithm algorithm, String keyId, JWSSigner signer, JWTClaimsSet.Builder claims)
            throws Exception {
        var jwt = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims.build());
        jwt.sign(signer);
        return "Bearer " + jwt.serialize();
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("alice")
                .issuer("https://issuer")
                .audience("api")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    @Test
    void tokenSignedWithTheSharedSecretSaysWhoItIs() throws Exception {
        var scope = JwtScopeResolver.ofSecret(SECRET, DEMANDS);
        var signer = new MACSigner(SECRET);

        assertThat(scope.scopeOf(with("Authorization", token(JWSAlgorithm.HS256, null, signer, claims()))))
                .hasValue("alice");
        assertThat(scope.scopeOf(with(
                        "Authorization",
                        token(JWSAlgorithm.HS256, null, signer, claims().expirationTime(new Date(0))))))
                .as("expired")
                .isEmpty();
        assertThat(scope.scopeOf(
                        with("Authorization", token(JWSAlgorithm.HS256, null, signer, claims().expirationTime(null)))))
                .as("for ever")
                .isEmpty();
        assertThat(scope.scopeOf(with(
                        "Authorization", token(JWSAlgorithm.HS256, null, signer, claims().issuer("https://other")))))
                .as("another issuer")
                .isEmpty();
        assertThat(scope.scopeOf(
                        with("Authorization", token(JWSAlgorithm.HS256, null, signer, claims().audience("other")))))
                .as("for another")
                .isEmpty();
        assertThat(scope.scopeOf(with(
                        "Authorization",
                        token(JWSAlgorithm.HS256, null, new MACSigner(SECRET.replace('0', '1')), claims()))))
                .as("another secret")
                .isEmpty();
        assertThat(scope.scopeOf(with("Authorization", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.")))
                .as("not signed")
                .isEmpty();
        assertThat(scope.scopeOf(with("Authorization", "Basic YTpi"))).isEmpty();
        assertThat(scope.scopeOf(with("X", "y"))).isEmpty();
        assertThatThrownBy(() -> JwtScopeResolver.ofSecret("short", DEMANDS)).hasMessageContaining("32 or more");
    }

    @Test
    void tokenMaySayThatItIsAnAccessToken() throws Exception {
        var scope = JwtScopeResolver.ofSecret(SECRET, DEMANDS);

        for (String type : new String[] {"JWT", "at+jwt"}) {
            assertThat(scope.scopeOf(with("Authorization", typed(type, claims()))))
                    .hasValue("alice");
        }
        assertThat(scope.scopeOf(with("Authorization", typed("logout+jwt", claims()))))
                .as("a token for something else")
                .isEmpty();
    }

    private static String typed(String type, JWTClaimsSet.Builder claims) throws Exception {
        var header = new JWSHeader.Builder(JWSAlgorithm.HS256).type(new JOSEObjectType(type));
        var jwt = new SignedJWT(header.build(), claims.build());
        jwt.sign(new MACSigner(SECRET));
        return "Bearer " + jwt.serialize();
    }

    @Test
    void claimIsATextOrANumberAndNothingThatOnlyLooksLikeIt() throws Exception {
        var scope = JwtScopeResolver.ofSecret(SECRET, new JwtScopeResolver.JwtRequirements("tenant", null, null));

        for (Object tenant : new Object[] {"[a, b]", 42}) {
            assertThat(scope.scopeOf(with("Authorization", typed("JWT", claims().claim("tenant", tenant)))))
                    .hasValue(tenant.toString());
        }
        for (Object tenant : new Object[] {List.of("a", "b"), Map.of("a", "b"), true}) {
            assertThat(scope.scopeOf(with("Authorization", typed("JWT", claims().claim("tenant", tenant)))))
                    .isEmpty();
        }
    }

    @Test
    void keyThatIsWithdrawnFromTheFileIsTakenNoLonger() throws Exception {
        RSAKey one = new RSAKeyGenerator(2048).keyID("one").generate();
        RSAKey two = new RSAKeyGenerator(2048).keyID("two").generate();
        var file = folder.resolve("jwks.json");
        Files.writeString(file, new JWKSet(one.toPublicJWK()).toString());
        var scope = JwtScopeResolver.ofKeys(file.toString(), DEMANDS);
        var byOne = with("Authorization", token(JWSAlgorithm.RS256, "one", new RSASSASigner(one), claims()));
        var byTwo = with("Authorization", token(JWSAlgorithm.RS256, "two", new RSASSASigner(two), claims()));
        assertThat(scope.scopeOf(byOne)).hasValue("alice");

        Files.writeString(file, "half a fi");
        assertThat(scope.scopeOf(byOne)).as("what held before holds").hasValue("alice");
        Files.writeString(file, new JWKSet(two.toPublicJWK()).toString());

        assertThat(scope.scopeOf(byOne)).isEmpty();
        assertThat(scope.scopeOf(byTwo)).hasValue("alice");
    }

    @Test
    void tokenSignedByAKeyOfTheSetSaysWhoItIs() throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).keyID("one").generate();
        var file = folder.resolve("jwks.json");
        Files.writeString(file, new JWKSet(key.toPublicJWK()).toString());
        var scope = JwtScopeResolver.ofKeys(file.toString(), DEMANDS);

        assertThat(scope.scopeOf(
                        with("Authorization", token(JWSAlgorithm.RS256, "one", new RSASSASigner(key), claims()))))
                .hasValue("alice");
        var other = new RSAKeyGenerator(2048).keyID("one").generate();
        assertThat(scope.scopeOf(
                        with("Authorization", token(JWSAlgorithm.RS256, "one", new RSASSASigner(other), claims()))))
                .as("another key by the same name")
                .isEmpty();
        byte[] publicKey = key.toRSAPublicKey().getEncoded();
        assertThat(scope.scopeOf(
                        with("Authorization", token(JWSAlgorithm.HS256, "one", new MACSigner(publicKey), claims()))))
                .as("the public key taken for a secret")
                .isEmpty();
    }

    @Test
    void apiKeyIsKeptAsAHash() {
        var scope = new ApiKeyScopeResolver("X-Api-Key");

        var alice = scope.scopeOf(with("X-Api-Key", "secret-a"));
        assertThat(alice.orElseThrow()).doesNotContain("secret").hasSizeLessThan(100);
        assertThat(scope.scopeOf(with("X-Api-Key", "secret-b"))).isPresent().isNotEqualTo(alice);
        assertThat(scope.scopeOf(with("X-Api-Key", ""))).isEmpty();
        assertThat(scope.scopeOf(with("X-Other", "secret-a"))).isEmpty();
        assertThat(scope.scopeOf(
                        request(HttpFields.build().add("X-Api-Key", "a").add("X-Api-Key", "b"), "127.0.0.1")))
                .as("two of them")
                .isEmpty();
    }

    @Test
    void credentialThatChangesByItselfIsNoScope() {
        var authorization = new ApiKeyScopeResolver("Authorization");
        var other = new ApiKeyScopeResolver("X-Token");

        var basic = authorization.scopeOf(with("Authorization", "Basic YWxpY2U6c2VjcmV0"));
        assertThat(basic).isPresent();
        assertThat(authorization.scopeOf(with("Authorization", "basic YWxpY2U6c2VjcmV0")))
                .as("the same, written in another way")
                .isEqualTo(basic);
        assertThat(authorization.scopeOf(with("Authorization", "ApiKey sk_1"))).isPresent();
        assertThat(authorization.scopeOf(with("Authorization", "sk_1"))).isPresent();
        for (String changing : List.of("Bearer abc", "bearer abc", "DPoP abc", "Digest a=1", "AWS4-HMAC-SHA256 a=1")) {
            assertThat(authorization.scopeOf(with("Authorization", changing)))
                    .as(changing)
                    .isEmpty();
        }
        assertThat(other.scopeOf(with("X-Token", "Bearer abc"))).isEmpty();
        assertThat(other.scopeOf(with("X-Token", "two words"))).isPresent();
    }

    @Test
    void headerIsTakenFromTrustedProxiesOnly() {
        var scope = new TrustedHeaderScopeResolver("X-User", List.of(CidrBlock.of("10.0.0.0/8"), CidrBlock.of("::1")));
        var headers = HttpFields.build().add("X-User", "alice");

        assertThat(scope.scopeOf(request(headers, "10.1.2.3"))).hasValue("alice");
        assertThat(scope.scopeOf(request(headers, "::1"))).hasValue("alice");
        assertThat(scope.scopeOf(request(headers, "11.1.2.3"))).isEmpty();
        assertThat(scope.scopeOf(request(headers, "::2"))).isEmpty();
        assertThat(scope.mustBeStripped("x-user", request(headers, "10.1.2.3"))).isFalse();
        assertThat(scope.mustBeStripped("x-user", request(headers, "11.1.2.3"))).isTrue();
        assertThat(scope.mustBeStripped("X-Other", request(headers, "11.1.2.3")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.1, 11.0.0.0",
        "192.0.2.7, 192.0.2.7, 192.0.2.8",
        "fd00::/8, fd12::1, fe80::1",
        "0.0.0.0/0, 8.8.8.8, ::1"
    })
    void networkHoldsWhatBeginsAlike(String network, String inside, String outside) throws Exception {
        assertThat(CidrBlock.of(network).contains(InetAddress.getByName(inside)))
                .isTrue();
        assertThat(CidrBlock.of(network).contains(InetAddress.getByName(outside)))
                .isFalse();
    }
}
