package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a client of HTTP/2 may send while nobody reads it is in no budget, and bounded for each connection. */
class UnreadHttp2Test {

    private static final int SIXTY_FOUR_KIB = 1 << 16;

    /** Long enough for a MiB on any machine. */
    private static final Duration TIME = Duration.ofSeconds(3);

    /** The only connection to the service is taken, so nothing of a body is passed on. */
    @Test
    void clientMaySendNoMoreThan64KibThatNobodyReads() throws Exception {
        try (var service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var gateway = new GatewayUnderTest(
                        "http://127.0.0.1:" + service.getLocalPort(),
                        "gateway: {connections: 1}\n" + GatewayUnderTest.route());
                var taking = connected(gateway)) {
            taking.getOutputStream().write("GET /held HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            try (var held = service.accept();
                    var socket = connected(gateway)) {
                assertThat(held.getInputStream().read()).isPositive();

                assertThat(UnreadHttp2Upload.send(socket, "/unread", TIME))
                        .isPositive()
                        .isLessThanOrEqualTo(SIXTY_FOUR_KIB);
            }
        }
    }

    private static Socket connected(GatewayUnderTest gateway) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), gateway.server().port());
    }
}
