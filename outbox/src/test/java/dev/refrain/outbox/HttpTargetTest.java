package dev.refrain.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.refrain.ValueCodec;
import dev.refrain.api.NotSentException;
import dev.refrain.api.Payload;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.OutboxRowRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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
                        Duration.ZERO),
                ValueCodec.standard());
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
    void aSignatureIsThatOfStandardWebhooksByEachSecret() throws Exception {
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
    void aSecretThatIsNoneIsRefusedAndNotShown() {
        assertThatThrownBy(() -> WebhookSigner.withSecret("whsec_not base64!"))
                .hasMessageContaining("base64")
                .hasMessageNotContaining("not base64!")
                .hasNoCause();
        assertThatThrownBy(() -> WebhookSigner.withSecret("c2hvcnQ=")).hasMessageContaining("at least 24 bytes");
        assertThat(WebhookSigner.withSecret(NEWER).toString()).doesNotContain(NEWER.substring(6));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 401, 404, 422, 429})
    void whatTheOtherSideDoesNotTakeIsRefusedForNow(int answered) {
        status = answered;
        retryAfter = Optional.of("7");
        assertThatThrownBy(() -> HttpTarget.to(hook()).build().send(delivery(new UUID(7, 1))))
                .isInstanceOfSatisfying(DeliveryRefusedException.class, refused -> {
                    assertThat(refused.isPermanent()).isFalse();
                    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(7));
                });
    }

    @Test
    void whatIsGoneIsRefusedForGood() {
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

    @Test
    void aConnectionThatIsCutAfterTheRequestSaysNothingAndItIsNotRepeatedHere() throws Exception {
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
