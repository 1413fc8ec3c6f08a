package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WebSocketUpgradeProxyTest {

    /** Accepts a WebSocket and sends back every frame of text, unmasked. */
    private static void echo(RawUpstream.ReceivedRequest request, Socket socket) throws Exception {
        String key = request.header("Sec-WebSocket-Key").orElseThrow();
        byte[] accept = MessageDigest.getInstance("SHA-1")
                .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
        RawUpstream.write(
                socket,
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: "
                        + Base64.getEncoder().encodeToString(accept) + "\r\n\r\n");
        var in = socket.getInputStream();
        while (true) {
            int first = in.read();
            int length = in.read() & 0x7f;
            byte[] mask = in.readNBytes(4);
            byte[] text = in.readNBytes(length);
            for (int i = 0; i < text.length; i++) {
                text[i] ^= mask[i % 4];
            }
            if (first < 0 || (first & 0xf) == 8) {
                socket.close();
                throw new IOException("over");
            }
            var frame = new byte[length + 2];
            frame[0] = (byte) first;
            frame[1] = (byte) length;
            System.arraycopy(text, 0, frame, 2, length);
            socket.getOutputStream().write(frame);
            socket.getOutputStream().flush();
        }
    }

    @Test
    void webSocketPasses() throws Exception {
        var heard = new CompletableFuture<String>();
        try (var upstream = new RawUpstream(WebSocketUpgradeProxyTest::echo);
                var gateway = new GatewayUnderTest(upstream.address(), "");
                var client = HttpClient.newHttpClient()) {
            var socket = client.newWebSocketBuilder()
                    .buildAsync(
                            URI.create("ws://127.0.0.1:" + gateway.server().port() + "/chat?room=1"),
                            new WebSocket.Listener() {
                                @Override
                                public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                                    heard.complete(text.toString());
                                    return null;
                                }
                            })
                    .get(1, TimeUnit.MINUTES);

            socket.sendText("hello through the gateway", true).get(1, TimeUnit.MINUTES);

            assertThat(heard.get(1, TimeUnit.MINUTES)).isEqualTo("hello through the gateway");
            assertThat(upstream.all().getFirst().line()).isEqualTo("GET /chat?room=1 HTTP/1.1");
            assertThat(upstream.all().getFirst().header("Forwarded")).isPresent();
            socket.abort();
        }
    }

    @Test
    void refusalToUpgradePassesToo() throws Exception {
        var service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            byte[] text = "not here".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(403, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        service.start();
        try (var gateway = new GatewayUnderTest(
                        "http://127.0.0.1:" + service.getAddress().getPort(), "");
                var socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.server().port())) {
            socket.setSoTimeout(10_000);
            RawUpstream.write(socket, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            byte[] start = socket.getInputStream().readNBytes(12);

            assertThat(new String(start, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 403");
        } finally {
            service.stop(0);
        }
    }
}
