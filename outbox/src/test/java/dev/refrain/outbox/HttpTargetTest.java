package dev.refrain.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.refrain.ValueCodec;
import dev.refrain.api.NotSentException;
import dev.refrain.api.Payload;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.OutboxRowRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and what an answer means. */
class HttpTargetTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final String NEWER =
            "whsec_" + Base64.getEncoder().encodeToString("n".repeat(32).getBytes());
    private static final String OLDER =
            Base64.getEncoder().encodeToString("o".repeat(24).getBytes());

    private record ReceivedPost(String key, String type, String id, String timestamp, String signature, String body) {}

    private final LinkedBlockingQueue<ReceivedPost> seen = new LinkedBlockingQueue<>();
    private HttpServer server;
    private int status = 204;
    private Optional<String> retryAfter = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hook", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        seen.add(new ReceivedPost(
                headers.getFirst("Idempotency-Key"),
                headers.getFirst("Content-Type"),
                headers.getFirst("webhook-id"),
                headers.getFirst("webhook-timestamp"),
                headers.getFirst("webhook-signature"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        retryAfter.ifPresent(value -> exchange.getResponseHeaders().set("Retry-After", value));
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private URI hook() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
    }

    private static MessageDelivery delivery(UUID id) {
        return new MessageDelivery(
                new LeasedMessage(
                        new OutboxRowRef(1, 1),
                        id,
                        "webhooks",
                        OptionalInt.empty(),
                        Optional.empty(),
                        Payload.of("{\"order\":1}".getBytes(StandardCharsets.UTF_8)),
                        1,
                        1,
                        Duration.ZERO,
                        Duration.ZERO,
                        MessageLabels.NONE),
                ValueCodec.standard());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "/hook",
                "ftp://example.com/hook",
                "mailto:me@example.com",
                "http:///hook",
                "http://example.com:0/hook",
                "https://example.com:70000/hook"
            })
    void addressThatCanNeverBeSentToIsRefusedWhenTheTargetIsBuilt(String address) {
        assertThatThrownBy(() -> HttpTarget.to(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use an absolute http or https URL");
    }

    @Test
    void credentialsInTheAddressAreRefusedAndNotShown() {
        assertThatThrownBy(() -> HttpTarget.to(URI.create("https://me:sesame@example.com/hook?token=open")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Add a header Authorization")
                .hasMessageNotContaining("sesame")
                .hasMessageNotContaining("open");
    }

    @Test
    void headerThatCanNeverBeSentIsRefusedWhenItIsAddedAndItsValueIsNotShown() {
        var target = HttpTarget.to(hook());
        for (String value : List.of("sesame\nX-More: 1", "sesame\r", "sesame\0")) {
            assertThatThrownBy(() -> target.header("Authorization", value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Authorization")
                    .hasMessageNotContaining("sesame")
                    .hasNoCause();
        }
        assertThatThrownBy(() -> target.header("Content-Length", "7")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> target.header("not a name", "sesame")).hasMessageNotContaining("sesame");
        assertThatThrownBy(() -> target.contentType("text/plain\n")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A key of a signature cannot be read, a clock fails: the request was never made. */
    @Test
    void requestThatCannotBeBuiltIsNotSentAndItsErrorShowsNoSecret() {
        var target = HttpTarget.to(hook())
                .signer(WebhookSigner.withSecret("whsec_" + Base64.getEncoder().encodeToString(new byte[32])))
                .clock(() -> {
                    throw new IllegalStateException("sesame");
                })
                .build();

        assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                .isInstanceOf(NotSentException.class)
                .hasMessageContaining("IllegalStateException")
                .hasMessageNotContaining("sesame")
                .hasNoCause();
    }

    /** As one that is closed, or refuses an address: what was certainly not sent is not of unknown outcome. */
    @Test
    void requestThatItsClientRefusesIsNotSentAndItsErrorShowsNoSecret() {
        var target =
                HttpTarget.to(hook()).client(FailingHttpClient.failing(false)).build();

        assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                .isInstanceOf(NotSentException.class)
                .hasMessageContaining("IllegalArgumentException")
                .hasMessageNotContaining("sesame")
                .hasNoCause();

        var late = HttpTarget.to(hook()).client(FailingHttpClient.failing(true)).build();
        assertThatThrownBy(() -> late.send(delivery(new UUID(7, 1))))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageNotContaining("sesame");
    }

    @Test
    void eachMessageHasAKeyOfItsOwnWhichIsAStructuredString() throws Exception {
        var target = HttpTarget.to(hook()).header("X-Shop", "7").build();
        var one = delivery(new UUID(7, 1));
        target.send(one);
        target.send(one);
        target.send(delivery(new UUID(7, 2)));
        var first = seen.take();
        assertThat(first.key()).matches("\"[!#-\\[\\]-~]{20,}\"").isEqualTo('"' + one.key() + '"');
        assertThat(seen.take().key()).isEqualTo(first.key());
        assertThat(seen.take().key()).isNotEqualTo(first.key());
        assertThat(first.type()).isEqualTo("application/json");
        assertThat(first.body()).isEqualTo("{\"order\":1}");
        assertThat(first.signature()).isNull();
    }

    @Test
    void signatureIsThatOfStandardWebhooksByEachSecret() throws Exception {
        var id = new UUID(7, 1);
        HttpTarget.to(hook())
                .signer(WebhookSigner.withSecret(NEWER).withPreviousSecret(OLDER))
                .clock(InstantSource.fixed(NOW))
                .build()
                .send(delivery(id));
        var got = seen.take();
        assertThat(got.id()).isEqualTo(id.toString());
        assertThat(got.timestamp()).isEqualTo("1700000000");
        String signed = id + ".1700000000." + got.body();
        assertThat(got.signature().split(" "))
                .containsExactly("v1," + hmac("n".repeat(32), signed), "v1," + hmac("o".repeat(24), signed));
    }

    private static String hmac(String secret, String text) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void secretThatIsNoneIsRefusedAndNotShown() {
        assertThatThrownBy(() -> WebhookSigner.withSecret("whsec_not base64!"))
                .hasMessageContaining("base64")
                .hasMessageNotContaining("not base64!")
                .hasNoCause();
        assertThatThrownBy(() -> WebhookSigner.withSecret("c2hvcnQ=")).hasMessageContaining("at least 24 bytes");
        assertThat(WebhookSigner.withSecret(NEWER).toString()).doesNotContain(NEWER.substring(6));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 401, 404, 422, 429})
    void redirectOrClientErrorIsATemporaryRefusal(int answered) {
        status = answered;
        retryAfter = Optional.of("7");
        assertThatThrownBy(() -> HttpTarget.to(hook()).build().send(delivery(new UUID(7, 1))))
                .isInstanceOfSatisfying(DeliveryRefusedException.class, refused -> {
                    assertThat(refused.isPermanent()).isFalse();
                    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(7));
                });
    }

    @Test
    void goneStatusIsAPermanentRefusal() {
        status = 410;
        assertThatThrownBy(() -> HttpTarget.to(hook()).build().send(delivery(new UUID(7, 1))))
                .isInstanceOfSatisfying(
                        DeliveryRefusedException.class,
                        refused -> assertThat(refused.isPermanent()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void afterAFailureItMayHaveArrived(int answered) {
        status = answered;
        assertThatThrownBy(() -> HttpTarget.to(hook()).build().send(delivery(new UUID(7, 1))))
                .isExactlyInstanceOf(IOException.class);
    }

    @Test
    void withoutAConnectionNothingWasSent() throws IOException {
        int port;
        try (var nobody = new ServerSocket(0)) {
            port = nobody.getLocalPort();
        }
        for (String url : new String[] {"http://127.0.0.1:" + port + "/", "http://nowhere.invalid/"}) {
            assertThatThrownBy(() -> HttpTarget.to(URI.create(url)).build().send(delivery(new UUID(7, 1))))
                    .isInstanceOf(NotSentException.class);
        }
    }

    /** Serves one connection after the other, with a text, as soon as the first bytes are there. */
    private static ServerSocket answering(String text) throws IOException {
        var listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!listening.isClosed()) {
                try (var socket = listening.accept()) {
                    socket.getInputStream().read(new byte[10_000]);
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                } catch (IOException cut) {
                    // The next one.
                }
            }
        });
        return listening;
    }

    @Test
    void serverThatDoesNotSpeakTlsWasSentNothing() throws Exception {
        try (var plain = answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
            var target = HttpTarget.to(URI.create("https://127.0.0.1:" + plain.getLocalPort() + "/"))
                    .build();

            assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                    .isInstanceOf(NotSentException.class)
                    .hasCauseInstanceOf(SSLException.class);
        }
    }

    @Test
    void handshakeThatTheServerRefusesHasSentNothing() throws Exception {
        // A record with the fatal alert handshake_failure.
        try (var refusing = answering("\u0015\u0003\u0003\u0000\u0002\u0002\u0028")) {
            var target = HttpTarget.to(URI.create("https://127.0.0.1:" + refusing.getLocalPort() + "/"))
                    .build();

            assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                    .isInstanceOf(NotSentException.class)
                    .hasCauseInstanceOf(SSLHandshakeException.class);
        }
    }

    /** With TLS 1.3 a server can refuse the client's certificate after the client has written its request. */
    @Test
    void handshakeThatFailsAfterTheRequestWasWrittenMayHaveArrived() {
        var target = HttpTarget.to(URI.create("https://127.0.0.1/"))
                .client(FailingHttpClient.hearingOfLateHandshakeFailure())
                .build();

        assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1)))).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void proxyThatOpensNoTunnelHasSentNothing() throws Exception {
        try (var proxy = answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")) {
            var client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .proxy(ProxySelector.of(new InetSocketAddress(proxy.getInetAddress(), proxy.getLocalPort())))
                    .build();
            var target = HttpTarget.to(URI.create("https://hooks.example/"))
                    .client(client)
                    .build();

            assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                    .isInstanceOf(NotSentException.class)
                    .hasMessage("Cannot connect to hooks.example; nothing was sent.");
        }
    }

    /** What is not HTTP says nothing about the request, which was written. */
    @Test
    void answerThatIsNoHttpMayHaveComeAfterTheMessageArrived() throws Exception {
        try (var strange = answering("220 mail.example ESMTP\r\n")) {
            var target = HttpTarget.to(URI.create("http://127.0.0.1:" + strange.getLocalPort() + "/"))
                    .build();

            assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NotSentException.class);
        }
    }

    @Test
    void connectionThatIsCutAfterTheRequestSaysNothingAndItIsNotRepeatedHere() throws Exception {
        try (var cutting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var requests = new LinkedBlockingQueue<Integer>();
            Thread.ofVirtual().start(() -> {
                while (!cutting.isClosed()) {
                    try (var socket = cutting.accept()) {
                        requests.add(socket.getInputStream().read());
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            var target = HttpTarget.to(URI.create("http://127.0.0.1:" + cutting.getLocalPort() + "/"))
                    .build();
            assertThatThrownBy(() -> target.send(delivery(new UUID(7, 1))))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NotSentException.class);
            assertThat(requests).hasSize(1);
        }
    }
}
