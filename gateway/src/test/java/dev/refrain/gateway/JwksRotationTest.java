package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.refrain.http.cases.RawHttpResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Public keys at an address that changes them and is not always available. */
class JwksRotationTest {

    private final AtomicInteger fetched = new AtomicInteger();
    private volatile JWKSet keys;
    private UnansweredPort place;
    private int port;
    private HttpServer issuer;
    private RawUpstream upstream;
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() throws Exception {
        place = new UnansweredPort();
        port = place.number();
        upstream = new RawUpstream(RawUpstream.answering(201, "made"));
        gateway = new GatewayUnderTest(upstream.address(), yaml());
    }

    private String yaml(String... aboutTheRoute) {
        return "gateway: {scope: {jwt: {claim: sub, jwks: 'http://127.0.0.1:%d/keys'}}}\n".formatted(port)
                + route(aboutTheRoute);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        upstream.close();
        place.close();
        issuerGoes();
    }

    private void issuerComes(ECKey... published) throws Exception {
        keys = new JWKSet(java.util.List.of(published));
        place.close();
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        issuer.createContext("/keys", exchange -> {
            fetched.incrementAndGet();
            byte[] json = keys.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            exchange.close();
        });
        issuer.start();
    }

    private void issuerGoes() {
        if (issuer != null) {
            issuer.stop(0);
        }
    }

    private static ECKey key(String id) throws Exception {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    private RawHttpResponse payBy(ECKey key) throws Exception {
        return payBy(key, "alice", UUID.randomUUID().toString());
    }

    private RawHttpResponse payBy(ECKey key, String subject, String idempotencyKey) throws Exception {
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder()
                        .subject(subject)
                        .jwtID(UUID.randomUUID().toString())
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .build());
        token.sign(new ECDSASigner(key));
        return gateway.send(pay(idempotencyKey).line("Authorization: Bearer " + token.serialize()));
    }

    @Test
    void retryWithARefreshedTokenReplaysAndAnotherCallersDoesNot() throws Exception {
        var key = key("one");
        issuerComes(key);
        String paid = UUID.randomUUID().toString();

        assertThat(payBy(key, "alice", paid).replayed()).isFalse();
        assertThat(payBy(key, "alice", paid).replayed()).isTrue();
        assertThat(payBy(key, "bob", paid).replayed()).isFalse();
        assertThat(upstream.posts()).hasSize(2);
    }

    /** A token may say where its key is, and is not believed. */
    @Test
    void noAddressIsFetchedBecauseATokenNamesIt() throws Exception {
        issuerComes(key("one"));
        var forged = key("forged");
        try (var attacker = new RawUpstream(RawUpstream.answering(200, new JWKSet(forged).toString()))) {
            for (var header : java.util.List.of(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).jwkURL(URI.create(attacker.address() + "/keys")),
                    new JWSHeader.Builder(JWSAlgorithm.ES256).x509CertURL(URI.create(attacker.address() + "/chain")),
                    new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(forged.toPublicJWK()))) {
                var token = new SignedJWT(
                        header.keyID("one").build(),
                        new JWTClaimsSet.Builder()
                                .subject("alice")
                                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                                .build());
                token.sign(new ECDSASigner(forged));

                var refused = gateway.send(
                        pay(UUID.randomUUID().toString()).line("Authorization: Bearer " + token.serialize()));

                assertThat(refused.status()).isEqualTo(401);
            }
            assertThat(attacker.all()).isEmpty();
            assertThat(upstream.all()).isEmpty();
        }
    }

    @Test
    void keysAreFetchedOnceAndHoldWhileTheirAddressIsAway() throws Exception {
        var key = key("one");
        issuerComes(key);
        for (int i = 0; i < 20; i++) {
            assertThat(payBy(key).status()).isEqualTo(201);
        }
        assertThat(fetched).hasValue(1);
        issuerGoes();
        assertThat(payBy(key).status()).isEqualTo(201);
        assertThat(payBy(key("another")).status()).isNotEqualTo(201);
    }

    @Test
    void keyThatIsNewIsFetchedAndOneThatIsGoneHoldsNoLonger() throws Exception {
        var old = key("old");
        var next = key("next");
        issuerComes(old);
        assertThat(payBy(old).status()).isEqualTo(201);
        assertThat(payBy(next).status()).isNotEqualTo(201);

        keys = new JWKSet(next);
        await().until(() -> payBy(next).status() == 201);

        assertThat(payBy(old).status()).isNotEqualTo(201);
    }

    /** A client whose token cannot be judged is told to come again, and not that it is nobody. */
    @Test
    void gatewayStartsWithoutThemAndTakesRequestsWhenTheyAreThere() throws Exception {
        var key = key("one");
        var refused = payBy(key);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("\"retryable\":true");
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(upstream.all()).isEmpty();

        issuerComes(key);

        await().until(() -> payBy(key).status() == 201);
    }

    @Test
    void tokensOfUnknownKeysDoNotHaveThemFetchedEachTime() throws Exception {
        issuerComes(key("one"));
        long begun = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            assertThat(payBy(key("unknown")).status()).isIn(401, 503);
        }
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
        assertThat(fetched.get()).isLessThanOrEqualTo((int) (3 + 2 * seconds));
        assertThat(upstream.all()).isEmpty();
    }

    /** Only other settings change. */
    @Test
    void knownKeysOutliveAChangeOfTheConfigurationToo() throws Exception {
        var key = key("one");
        issuerComes(key);
        var reader = GatewayUnderTest.reader(upstream.address());
        gateway.server().reload(reader.read(yaml()).reloadable());
        assertThat(payBy(key).status()).isEqualTo(201);

        issuerGoes();
        gateway.server().reload(reader.read(yaml("retention: 48h")).reloadable());

        assertThat(payBy(key).status()).isEqualTo(201);
    }
}
