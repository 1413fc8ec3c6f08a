package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** HTTP/2 and TLS in front, with certificates made by the JDK's own tool. */
@Execution(ExecutionMode.CONCURRENT)
class TlsAndHttp2Test {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path folder;

    private KeyStore server;
    private KeyStore alice;

    @BeforeEach
    void makeCertificates() throws Exception {
        server = made("server", "CN=localhost", "san=dns:localhost,ip:127.0.0.1");
        alice = made("alice", "CN=alice", "ku=digitalSignature");
        pem("server.pem", "CERTIFICATE", server.getCertificate("server").getEncoded());
        pem("server.key", "PRIVATE KEY", server.getKey("server", PASSWORD).getEncoded());
        pem("alice.pem", "CERTIFICATE", alice.getCertificate("alice").getEncoded());
    }

    private KeyStore made(String name, String subject, String extension) throws Exception {
        var file = folder.resolve(name + ".p12");
        var tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        subject,
                        "-ext",
                        extension,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(tool.getInputStream().readAllBytes());
        assertThat(tool.waitFor()).as(said).isZero();
        return KeyStore.getInstance(file.toFile(), PASSWORD);
    }

    private void pem(String name, String kind, byte[] bytes) throws IOException {
        Files.writeString(
                folder.resolve(name),
                "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                        + "-----\n");
    }

    private SSLContext context(KeyManager... own) throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", server.getCertificate("server"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private HttpResponse<String> pay(HttpClient client, int port, String scheme) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(scheme + "://localhost:" + port + "/pay"))
                        .header("Idempotency-Key", "\"one\"")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void http2OverTlsAndTheCertificateIsTheCaller() throws Exception {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(alice, PASSWORD);
        String yaml = """
                gateway:
                  tls: {certificate: %s/server.pem, key: %s/server.key, client-ca: %s/alice.pem}
                  scope: {client-certificate: true}
                """.formatted(folder, folder, folder) + GatewayUnderTest.route();
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), yaml);
                var known = HttpClient.newBuilder()
                        .sslContext(context(keys.getKeyManagers()))
                        .build();
                var nobody = HttpClient.newBuilder().sslContext(context()).build()) {
            var first = pay(known, gateway.server().port(), "https");
            var again = pay(known, gateway.server().port(), "https");

            assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(again.body()).isEqualTo("made");
            assertThat(pay(nobody, gateway.server().port(), "https").statusCode())
                    .isEqualTo(401);
            assertThat(upstream.posts()).hasSize(1);
            assertThat(upstream.posts().getFirst().header("Forwarded").orElseThrow())
                    .contains("proto=https");
        }
    }

    @Test
    void http2WithoutTls() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), GatewayUnderTest.route());
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            // The change to HTTP/2 is asked for by the first request, which may have no body.
            client.send(
                    HttpRequest.newBuilder(URI.create(
                                    "http://localhost:" + gateway.server().port() + "/"))
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
            pay(client, gateway.server().port(), "http");
            var again = pay(client, gateway.server().port(), "http");

            assertThat(again.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(again.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    @Test
    void tlsHandshakeByteByByteTimesOut() throws Exception {
        String yaml =
                "gateway:\n  client-head: 1s\n  client-idle: 300s\n  tls: {certificate: %s/server.pem, key: %s/server.key}\n"
                        .formatted(folder, folder);
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), yaml);
                var socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.server().port())) {
            // The beginning of a message of 512 bytes.
            assertThat(SlowClientsTest.trickle(
                            socket, "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc" + "x".repeat(200)))
                    .as("ended by the gateway, long before the connection is idle")
                    .doesNotContain("HTTP");
        }
    }

    /** The slow-header guard must not end secured connections, or those with many requests at once. */
    @Test
    void clientThatIsQuickEnoughKeepsItsConnection() throws Exception {
        String yaml =
                "gateway:\n  client-head: 4s\n  client-idle: 5s\n  tls: {certificate: %s/server.pem, key: %s/server.key}\n"
                        .formatted(folder, folder);
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), yaml);
                var socket = (SSLSocket) context()
                        .getSocketFactory()
                        .createSocket("localhost", gateway.server().port())) {
            socket.setSoTimeout(30_000);
            for (int i = 0; i < 4; i++) {
                RawUpstream.write(socket, "GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
                var answer = new StringBuilder();
                while (answer.indexOf("made") < 0) {
                    int c = socket.getInputStream().read();
                    assertThat(c).as("still there after: %s", answer).isNotNegative();
                    answer.append((char) c);
                }
                Thread.sleep(1_200);
            }
            upstream.from((request, service) -> {
                Thread.sleep(6_000);
                RawUpstream.answer(service, 201, "made at last");
            });
            try (var client = HttpClient.newBuilder().sslContext(context()).build()) {
                var late = pay(client, gateway.server().port(), "https");
                assertThat(late.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(late.body()).isEqualTo("made at last");
            }
        }
    }

    /** A service behind TLS that is not trusted was sent nothing. */
    @Test
    void serviceThatIsNotTrustedIsSentNothing() throws Exception {
        String behind = "gateway:\n  tls: {certificate: %s/server.pem, key: %s/server.key}\n".formatted(folder, folder);
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var inner = new GatewayUnderTest(upstream.address(), behind)) {
            String address = "https://localhost:" + inner.server().port();
            try (var outer = new GatewayUnderTest(address, GatewayUnderTest.route())) {
                var refused = outer.send(GatewayUnderTest.pay("two"));

                assertThat(refused.status()).isEqualTo(502);
                assertThat(refused.body()).contains("upstream-unreachable");
            }
            try (var outer = new GatewayUnderTest(
                    address, "gateway: {upstream-ca: %s/server.pem}\n".formatted(folder) + GatewayUnderTest.route())) {
                assertThat(outer.send(GatewayUnderTest.pay("two")).status()).isEqualTo(201);
            }
            assertThat(upstream.posts()).hasSize(1);
        }
    }

    /** Failure of TLS after the request was read. */
    @FunctionalInterface
    private interface LateFailure {
        void in(Socket plain, SSLSocket tls) throws IOException;
    }

    @Test
    void serviceThatSendsAnOversizedRecordAfterItReadTheRequestWasSentIt() throws Exception {
        needsAttention((plain, tls) -> {
            plain.getOutputStream().write(new byte[] {0x17, 3, 3, 0x70, 0});
            plain.getOutputStream().write(new byte[0x7000]);
            plain.getInputStream().read();
        });
    }

    /** The client has none: to it, this is a failed handshake. */
    @Test
    void serviceThatAsksForACertificateAfterItReadTheRequestWasSentIt() throws Exception {
        needsAttention((plain, tls) -> {
            tls.setNeedClientAuth(true);
            tls.startHandshake();
            tls.getInputStream().read();
        });
    }

    private void needsAttention(LateFailure failure) throws Exception {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(server, PASSWORD);
        var secured = context(keys.getKeyManagers());
        var served = new AtomicInteger();
        String yaml = "gateway: {upstream-ca: %s/server.pem}\n".formatted(folder) + GatewayUnderTest.route();
        try (var listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                var gateway = new GatewayUnderTest("https://localhost:" + listening.getLocalPort(), yaml)) {
            Thread.startVirtualThread(() -> failAfterRequests(listening, secured, served, failure));

            var unknown = gateway.send(GatewayUnderTest.pay("three"));

            assertThat(unknown.status()).isEqualTo(409);
            assertThat(unknown.body()).contains("outcome-unknown");
            assertThat(gateway.send(GatewayUnderTest.pay("three")).status()).isEqualTo(409);
            assertThat(gateway.state("three")).hasValue(RecordState.ATTENTION);
            assertThat(served).hasValue(1);
        }
    }

    private static void failAfterRequests(
            ServerSocket listening, SSLContext secured, AtomicInteger served, LateFailure failure) {
        while (!listening.isClosed()) {
            try (var plain = listening.accept();
                    var tls = (SSLSocket) secured.getSocketFactory().createSocket(plain, "localhost", 0, false)) {
                tls.setUseClientMode(false);
                tls.setEnabledProtocols(new String[] {"TLSv1.2"});
                var seen = new StringBuilder();
                while (seen.indexOf("\"amount\":1}") < 0) {
                    int c = tls.getInputStream().read();
                    if (c < 0) {
                        throw new IOException("The request ended before its body.");
                    }
                    seen.append((char) c);
                }
                served.incrementAndGet();
                failure.in(plain, tls);
            } catch (IOException over) {
                // The next connection may bring a second request, which must not happen.
            }
        }
    }
}
