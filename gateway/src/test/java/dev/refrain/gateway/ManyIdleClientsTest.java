package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that do nothing. */
class ManyIdleClientsTest {

    private static final int MANY = 10_000;
    private static final int FOR_OTHER_FILES = 1_000;

    @TempDir
    private Path folder;

    /** So many, or as many as this process may open. */
    private static int most() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean machine
                ? (int) Math.min(
                        MANY,
                        machine.getMaxFileDescriptorCount() - machine.getOpenFileDescriptorCount() - FOR_OTHER_FILES)
                : FOR_OTHER_FILES;
    }

    /** @param each is done for a connection, before it is left alone */
    private static List<Socket> crowd(int many, int port, String each) throws IOException {
        var sockets = new ArrayList<Socket>(many);
        try {
            for (int i = 0; i < many; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(socket);
                RawUpstream.write(socket, each);
            }
            return sockets;
        } catch (IOException failed) {
            disperse(sockets);
            throw failed;
        }
    }

    private static void disperse(List<Socket> sockets) throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }

    /** The gateway has 256 MB, see {@link GatewayProcess}. */
    @Test
    void tenThousandIdleConnectionsDisturbNobody() throws Exception {
        var config = Files.writeString(
                folder.resolve("gateway.yaml"), "gateway: {scope: shared, client-connections: 20000}\n" + route());
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = GatewayProcess.start(
                        config, upstream.address(), "jdbc:sqlite:" + folder.resolve("keys.db"), Map.of())) {
            int many = most();
            var idle = crowd(many / 2, gateway.port(), "");
            try {
                idle.addAll(crowd(many - many / 2, gateway.port(), "POST /pay HTTP/1.1\r\nHost: a\r\nX-Half"));
                for (int i = 0; i < 20; i++) {
                    assertThat(gateway.send(pay(UUID.randomUUID().toString())).status())
                            .as("beside %d idle connections", many)
                            .isEqualTo(201);
                }
            } finally {
                disperse(idle);
            }
        }
    }

    /** Each is in the middle of a head, and so is not idle for long. */
    @Test
    void connectionsOfOneAddressLeaveAFifthToOthers() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(
                        upstream.address(), "gateway: {client-connections: 50, client-head: 5m}\n" + route())) {
            int port = gateway.server().port();
            var crowd = crowd(60, port, "POST /pay HTTP/1.1\r\nHost: a\r\nX-Half");
            var over = new AtomicBoolean();
            var busy = Thread.startVirtualThread(() -> keepBusy(crowd, over));
            try (var other = new Socket()) {
                other.bind(new InetSocketAddress("127.0.0.2", 0));
                other.connect(new InetSocketAddress("127.0.0.1", port));
                RawUpstream.write(
                        other, "POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\nContent-Length: 0\r\n\r\n");
                other.setSoTimeout(30_000);

                assertThat(new String(other.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 201");
            } finally {
                over.set(true);
                busy.join();
                disperse(crowd);
            }
        }
    }

    private static void keepBusy(List<Socket> sockets, AtomicBoolean over) {
        while (!over.get()) {
            for (var socket : sockets) {
                try {
                    RawUpstream.write(socket, "x");
                } catch (IOException closed) {
                    // It is beyond the share of its address.
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    @Test
    void idleConnectionsAreClosedAtTheConnectionLimit() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(
                        upstream.address(), "gateway: {client-connections: 50, client-idle: 60s}\n" + route())) {
            var idle = crowd(75, gateway.server().port(), "");
            try {
                assertThat(gateway.send(pay("one")).status()).isEqualTo(201);
            } finally {
                disperse(idle);
            }
        }
    }
}
