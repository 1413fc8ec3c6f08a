package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.store.RecordState;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies are held in a budget, from the first byte of a request to the last one of its answer, and given back whatever happens. */
class BufferedBodiesTest {

    /** More than what the buffers of a connection take. */
    private static final int LARGE = 10 << 20;

    private static final String CONFIG = "gateway: {client-idle: 2s}\n"
            + route("upstream-timeout: 2s")
            + "  http: {max-request-bytes: 11MB, max-outcome-bytes: 11MB}\n  max-buffered-bytes: 40MB\n";

    private final String key = UUID.randomUUID().toString();
    private final RawUpstream upstream;
    private final GatewayUnderTest gateway;

    BufferedBodiesTest() throws Exception {
        upstream = new RawUpstream(RawUpstream.answering(201, "x".repeat(LARGE)));
        gateway = new GatewayUnderTest(upstream.address(), CONFIG);
    }

    @AfterEach
    void stop() throws Exception {
        await().untilAsserted(() -> assertThat(gateway.heldBytes()).isZero());
        gateway.close();
        upstream.close();
    }

    @Test
    void answerIsKeptIfThereIsMemory() throws Exception {
        assertThat(gateway.send(pay(key)).body()).hasSize(LARGE);

        assertThat(gateway.send(pay(key)).replayed()).isTrue();
    }

    /** The service has done it: its answer is passed on as it comes, and a retry is told that it is done. */
    @Test
    void answerWithoutMemoryIsPassedOnAndNotKept() throws Exception {
        try (var others = gateway.budget().open("192.0.2.1")) {
            others.count(25 << 20);
            try (var log = new CapturedWarningLines(ForwardingLog.class.getName())) {
                var first = gateway.send(pay(key));

                assertThat(first.status()).isEqualTo(201);
                assertThat(first.body()).hasSize(LARGE);
                assertThat(log.lines())
                        .anyMatch(line -> line.contains("passed on and not kept: there was no memory for it in time."));
            }
        }
        assertThat(gateway.send(pay(key)).body()).contains("answer-not-kept");
        assertThat(upstream.posts()).hasSize(1);
    }

    /** The length of a 304 is that of the representation, which does not follow. */
    @Test
    void notModifiedThatNamesALargeLengthIsKept() throws Exception {
        upstream.from((request, socket) ->
                RawUpstream.write(socket, "HTTP/1.1 304 Not Modified\r\nContent-Length: 500000000\r\n\r\n"));

        assertThat(gateway.send(pay(key)).status()).isEqualTo(304);

        var retry = gateway.send(pay(key));
        assertThat(retry.status()).isEqualTo(304);
        assertThat(retry.replayed()).isTrue();
    }

    @Test
    void answerWaitsAtTheServiceUntilThereIsMemory() throws Exception {
        var others = gateway.budget().open("192.0.2.1");
        others.count(25 << 20);
        Thread.startVirtualThread(() -> {
            await().until(() -> !upstream.posts().isEmpty());
            others.close();
        });

        assertThat(gateway.send(pay(key)).body()).hasSize(LARGE);

        assertThat(gateway.send(pay(key)).replayed()).isTrue();
    }

    @Test
    void answerIsHeldAsLongAsItsClientDoesNotReadIt() throws Exception {
        try (var slow = unread()) {
            await().untilAsserted(() -> assertThat(gateway.state(key)).contains(RecordState.COMPLETED));
            assertThat(gateway.heldBytes()).isGreaterThanOrEqualTo(LARGE);
        }
    }

    @Test
    void clientThatNeverReadsItsAnswerIsGivenUp() throws Exception {
        try (var slow = unread()) {
            await().untilAsserted(() -> assertThat(gateway.state(key)).contains(RecordState.COMPLETED));
            await().untilAsserted(() -> assertThat(gateway.heldBytes()).isZero());
        }
    }

    /** Its buffers are so small that most of the answer stays in the gateway. */
    private Socket unread() throws Exception {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.server().port()));
        RawUpstream.write(
                socket,
                "POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: " + key
                        + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
        return socket;
    }

    @Test
    void requestOfAClientThatGoesInTheMiddleIsGivenBack() throws Exception {
        try (var wire = new RawHttpConnection(gateway.server().port())) {
            wire.write(("POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: " + key + "\r\nContent-Length: " + LARGE
                            + "\r\n\r\nabc")
                    .getBytes(StandardCharsets.US_ASCII));
            await().untilAsserted(() -> assertThat(gateway.heldBytes()).isGreaterThanOrEqualTo(LARGE));
            wire.hangUp();
        }
    }

    @Test
    void requestWhoseServiceNeverAnswersIsGivenBack() throws Exception {
        var asked = new CountDownLatch(1);
        upstream.from((request, socket) -> {
            asked.countDown();
            Thread.sleep(60_000);
        });

        assertThat(gateway.send(pay(key)).status()).isEqualTo(409);
        assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
