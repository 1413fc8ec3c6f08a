package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.edge.BufferBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request was sent from its first byte on the wire, and not before. */
class SentByteTrackerTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final HttpClient client = new HttpClient();
    private final SentByteTracker bytes = new SentByteTracker();
    private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws Exception {
        client.addBean(bytes);
        client.setMaxRequestHeadersSize(8 << 10);
        client.start();
    }

    @AfterEach
    void stop() throws Exception {
        client.stop();
        for (var socket : accepted) {
            socket.close();
        }
    }

    private Request post(String address) {
        return client.newRequest(address).method("POST");
    }

    private UpstreamResult send(Request request, Duration timeout) {
        return UpstreamCall.of(
                        request,
                        UpstreamConnectionQueueTest.free(),
                        bytes,
                        timeout,
                        1000,
                        BufferBudget.ofHeap().open("peer"))
                .send();
    }

    private static Request withLargeHead(Request request) {
        return request.headers(headers -> headers.put("Cookie", "x".repeat(9_000)));
    }

    @Test
    void headThatCannotBeWrittenWasNotSent() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            assertThat(send(withLargeHead(post(upstream.address())), LONG)).isInstanceOf(UpstreamResult.NotSent.class);
            assertThat(upstream.all()).isEmpty();
        }
    }

    @Test
    void headThatCannotBeWrittenToAUsedConnectionWasNotSent() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            assertThat(send(post(upstream.address()), LONG)).isInstanceOf(UpstreamResult.Answered.class);

            assertThat(send(withLargeHead(post(upstream.address())), LONG)).isInstanceOf(UpstreamResult.NotSent.class);
            assertThat(upstream.all()).hasSize(1);
        }
    }

    @Test
    void requestOnAUsedConnectionThatIsResetMayHaveBeenSent() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"))) {
            assertThat(send(post(upstream.address()), LONG)).isInstanceOf(UpstreamResult.Answered.class);
            upstream.from((request, socket) -> RawUpstream.reset(socket));

            assertThat(send(post(upstream.address()).body(new BytesRequestContent(new byte[100_000])), LONG))
                    .isInstanceOf(UpstreamResult.Unanswered.class);
        }
    }

    @Test
    void requestWhoseTlsHandshakeIsNeverAnsweredWasNotSent() throws Exception {
        try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> accept(server));

            var reached = send(post("https://127.0.0.1:" + server.getLocalPort()), Duration.ofMillis(500));

            assertThat(reached).isInstanceOf(UpstreamResult.NotSent.class);
            assertThat(accepted).hasSize(1);
        }
    }

    private void accept(ServerSocket server) {
        try {
            accepted.add(server.accept());
        } catch (IOException closed) {
            // The test is over.
        }
    }
}
