package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway of 96 MB, 160 connections that want all its memory, and beside them honest clients from the same address and in the same scope,
 * which is harder than from another one.
 */
class MemoryAttackTest {

    private static final boolean LONG = Boolean.getBoolean("tests.long");
    private static final Duration EACH = Duration.ofMillis(LONG ? 30_000 : 1_500);
    private static final int MANY = 160;
    private static final int HONEST = 3;
    private static final int HEADS = 6_000;
    private static final int LENGTH = (1 << 20) - 1;
    private static final int LARGE_ANSWERS = 20;
    private static final long MIB = 1 << 20;
    private static final String CONFIG = "gateway: {scope: shared, client-idle: 30s, drain: 5s, connections: 512}\n"
            + "refrain:\n  cache: {max-age: 2s}\n" + route("store-timeout: 15s").substring("refrain:\n".length());

    @TempDir
    private Path folder;

    /** Status by key, or 0 if there was no answer. */
    private final Map<String, Integer> honest = new ConcurrentHashMap<>();

    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean over;

    /** Something that one connection does until the attack is over. */
    @FunctionalInterface
    private interface Attack {
        void on(Socket socket, int number) throws IOException, InterruptedException;
    }

    @Test
    void honestRequestsPassBesideConnectionsThatWantAllMemory() throws Exception {
        var config = Files.writeString(folder.resolve("gateway.yaml"), CONFIG);
        var service = service();
        try (var gateway = SmallGatewayProcess.start(
                "-Xmx96m", config, "http://127.0.0.1:" + service.getAddress().getPort(), "jdbc:sqlite:" + database())) {
            int port = gateway.port();
            for (int i = 0; i < 60; i++) {
                pay(port);
            }
            honest.clear();
            long before = gateway.usedHeap();
            var clients = new ArrayList<Thread>();
            for (int i = 0; i < HONEST; i++) {
                clients.add(Thread.startVirtualThread(() -> {
                    while (!over) {
                        pay(port);
                    }
                }));
            }
            attack(port, this::allButOneByte);
            attack(port, (socket, number) -> whole(socket));
            attack(port, (socket, number) -> inChunks(socket));
            attack(port, (socket, number) -> UnreadHttp2Upload.send(socket, "/unread", EACH));
            var stored = largeAnswers(port);
            attack(port, (socket, number) -> unreadReplay(socket, stored.get(number % stored.size())));
            over = true;
            for (var client : clients) {
                client.join();
            }

            assertThat(gateway.isAlive()).isTrue();
            assertThat(refused).as("requests of the attack that were refused").hasPositiveValue();
            assertThat(honest.values()).isSubsetOf(201, 503).hasSizeGreaterThan(LONG ? 300 : 20);
            assertThat(honest.values().stream().filter(status -> status == 201).count())
                    .isGreaterThanOrEqualTo(honest.size() * 95L / 100);
            assertThat(usedHeapWithin(gateway, before + 8 * MIB))
                    .as("%d MiB before the attack", before / MIB)
                    .isLessThan(before + 8 * MIB);
            assertThat(gateway.terminate()).as("SIGTERM ends it").contains(143);
        } finally {
            service.stop(0);
        }
        assertNothingUnsettled();
    }

    /** Each of them has sent all but the end of a head, from an address that is not that of the honest. */
    @Test
    void unfinishedHeadsOfAnotherAddressLeaveRoomForHonestRequests() throws Exception {
        var config = Files.writeString(folder.resolve("gateway.yaml"), CONFIG);
        var service = service();
        try (var gateway = SmallGatewayProcess.start(
                "-Xmx96m", config, "http://127.0.0.1:" + service.getAddress().getPort(), "jdbc:sqlite:" + database())) {
            int port = gateway.port();
            pay(port);
            honest.clear();
            byte[] head = ("POST /pay HTTP/1.1\r\nHost: a\r\nX-Long: " + "x".repeat(15 << 10))
                    .getBytes(StandardCharsets.US_ASCII);
            var heads = new ArrayList<Socket>();
            for (int i = 0; i < HEADS; i++) {
                halfHead(port, head).ifPresent(heads::add);
                if (i % 100 == 0) {
                    pay(port);
                }
            }

            assertThat(gateway.isAlive()).isTrue();
            assertThat(honest.values()).hasSizeGreaterThan(HEADS / 200).containsOnly(201);
            for (var socket : heads) {
                socket.close();
            }
        } finally {
            service.stop(0);
        }
    }

    private static Optional<Socket> halfHead(int port, byte[] head) throws IOException {
        var socket = new Socket();
        try {
            socket.bind(new InetSocketAddress("127.0.0.2", 0));
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            socket.getOutputStream().write(head);
            return Optional.of(socket);
        } catch (IOException beyondItsShare) {
            socket.close();
            return Optional.empty();
        }
    }

    /** Without a limit for the same attack. Nothing half-dead stays behind that ignores SIGTERM and sends requests without recording them. */
    @Test
    void outOfMemoryErrorEndsTheProcess() throws Exception {
        var config = Files.writeString(
                folder.resolve("gateway.yaml"),
                CONFIG.replace("refrain:\n", "refrain:\n  max-buffered-bytes: 2000MB\n"));
        var service = service();
        try (var gateway = SmallGatewayProcess.start(
                "-Xmx96m", config, "http://127.0.0.1:" + service.getAddress().getPort(), "jdbc:sqlite:" + database())) {
            // On a slow machine it takes longer until so many have sent so much.
            for (int i = 1; i <= 20 && gateway.isAlive(); i++) {
                attack(gateway.port(), this::allButOneByte, EACH.multipliedBy(i));
            }

            assertThat(gateway.awaitExit()).contains(3);
        } finally {
            service.stop(0);
        }
    }

    /** The virtual machine's own option does not see this error, because it is the class library that throws it. */
    @Test
    void outOfDirectMemoryEndsTheProcessToo() throws Exception {
        var config = Files.writeString(folder.resolve("gateway.yaml"), CONFIG);
        var service = service();
        try (var gateway = SmallGatewayProcess.start(
                "-XX:MaxDirectMemorySize=12k",
                config,
                "http://127.0.0.1:" + service.getAddress().getPort(),
                "jdbc:sqlite:" + database())) {
            // One request needs more than there is. Many at once would each collect garbage first, one after the other.
            assertThatThrownBy(() -> largeAnswers(gateway.port())).isInstanceOf(IOException.class);

            assertThat(gateway.awaitExit()).contains(3);
        } finally {
            service.stop(0);
        }
    }

    private Path database() {
        return folder.resolve("keys.db");
    }

    /** Waits up to ten seconds. */
    private long usedHeapWithin(SmallGatewayProcess gateway, long most) throws Exception {
        long used = gateway.usedHeap();
        for (int i = 0; i < 10 && used >= most; i++) {
            Thread.sleep(1000);
            // A replay lets the cache forget what is too old.
            pay(gateway.port(), "last");
            pay(gateway.port(), "last");
            used = gateway.usedHeap();
        }
        return used;
    }

    private void assertNothingUnsettled() {
        try (var store = JdbcStore.sqlite(database());
                var refrain = Refrain.using(store)) {
            assertThat(refrain.admin().unsettledCounts().attention()).isZero();
            honest.forEach((key, status) -> {
                if (status != 201) {
                    assertThat(refrain.admin().find(new ScopedKey("", RouteProtection.NAMESPACE, key)))
                            .as("nothing is claimed by a request that was refused")
                            .isEmpty();
                }
            });
        }
    }

    private void pay(int port) {
        pay(port, UUID.randomUUID().toString());
    }

    private void pay(int port, String key) {
        try (var wire = new RawHttpConnection(port)) {
            wire.send(GatewayUnderTest.pay(key));
            honest.put(key, wire.receive().status());
        } catch (IOException e) {
            honest.put(key, 0);
        }
    }

    /** Does something on many connections at once, again and again. */
    private void attack(int port, Attack attack) throws InterruptedException {
        attack(port, attack, EACH);
    }

    private void attack(int port, Attack attack, Duration lasting) throws InterruptedException {
        var end = new CountDownLatch(1);
        var attackers = new ArrayList<Thread>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            attackers.add(Thread.startVirtualThread(() -> {
                while (end.getCount() > 0) {
                    try (var socket = new Socket()) {
                        socket.setReceiveBufferSize(4096);
                        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                        socket.setSoTimeout(10_000);
                        attack.on(socket, number);
                    } catch (IOException | InterruptedException refusedOrOver) {
                        // As it should.
                    }
                }
            }));
        }
        end.await(lasting.toMillis(), TimeUnit.MILLISECONDS);
        end.countDown();
        for (var attacker : attackers) {
            attacker.interrupt();
            attacker.join();
        }
    }

    private static String head(String length) {
        return "POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: " + UUID.randomUUID()
                + "\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n";
    }

    /** Numbers, because nothing takes up more memory when it is parsed. */
    private static byte[] numbers(int length) {
        var text = new StringBuilder("[");
        while (text.length() < length - 4) {
            text.append("101,");
        }
        return text.append("1".repeat(length - 1 - text.length()))
                .append("]")
                .toString()
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static final byte[] BODY = numbers(LENGTH);

    private void readStatus(Socket socket) throws IOException {
        var answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        if (answer.endsWith("503")) {
            refused.incrementAndGet();
        }
    }

    /** Holds what it got until the attack is over. */
    private void allButOneByte(Socket socket, int number) throws IOException {
        var out = socket.getOutputStream();
        out.write(head("Content-Length: " + (LENGTH + 1)).getBytes(StandardCharsets.US_ASCII));
        out.write(BODY);
        readStatus(socket);
    }

    private void whole(Socket socket) throws IOException {
        var out = socket.getOutputStream();
        out.write(head("Content-Length: " + LENGTH).getBytes(StandardCharsets.US_ASCII));
        out.write(BODY);
        readStatus(socket);
    }

    private void inChunks(Socket socket) throws IOException {
        var out = socket.getOutputStream();
        out.write(head("Transfer-Encoding: chunked").getBytes(StandardCharsets.US_ASCII));
        for (int at = 0; at < LENGTH; at += 32 << 10) {
            int count = Math.min(32 << 10, LENGTH - at);
            out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(BODY, at, count);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        readStatus(socket);
    }

    private static RawHttpRequest large(String key) {
        return RawHttpRequest.post("/pay").key(key).json("{\"answer\":\"large\"}");
    }

    /** Returns keys under which large answers are stored. */
    private static List<String> largeAnswers(int port) throws IOException {
        var keys = new ArrayList<String>();
        while (keys.size() < LARGE_ANSWERS) {
            String key = UUID.randomUUID().toString();
            try (var wire = new RawHttpConnection(port)) {
                wire.send(large(key));
                if (wire.receive().status() == 201) {
                    keys.add(key);
                }
            }
        }
        return keys;
    }

    private void unreadReplay(Socket socket, String key) throws IOException, InterruptedException {
        var request = large(key);
        RawUpstream.write(
                socket,
                "POST /pay HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", request.lines()) + "\r\nContent-Length: "
                        + request.body().length() + "\r\n\r\n" + request.body());
        readStatus(socket);
        Thread.sleep(EACH.toMillis());
    }

    private static HttpServer service() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", MemoryAttackTest::answer);
        server.createContext("/unread", MemoryAttackTest::readNothing);
        server.start();
        return server;
    }

    private static void readNothing(HttpExchange exchange) {
        try (exchange) {
            Thread.sleep(EACH.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] start = exchange.getRequestBody().readNBytes(100);
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            boolean large = new String(start, StandardCharsets.US_ASCII).contains("large");
            byte[] body = large ? new byte[1000 << 10] : new byte[10];
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
