package dev.refrain.http.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections that want all memory of a server, and beside them honest clients from the same address and in the same scope, which is harder than
 * from another one.
 */
public final class BodyFlood {

    /** Scope of all requests, as the edges of these cases read it in {@code X-User}. */
    public static final String SCOPE = "tenant";

    private static final int MANY = 160;
    private static final int HONEST = 3;
    private static final int LENGTH = (1 << 20) - 1;
    private static final int CHUNK = 32 << 10;

    /** Honest requests that are answered during each attack, however slow the machine is. */
    private static final int HONEST_ANSWERS = 8;

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration TICK = Duration.ofMillis(50);

    private final int port;
    private final String path;
    private final byte[] body = numbers(LENGTH);
    private final Map<String, Integer> honest = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();

    public BodyFlood(int port, String path) {
        this.port = port;
        this.path = path;
    }

    /** Something that one connection does, again and again until the attack is over. */
    @FunctionalInterface
    private interface Attack {
        void on(Socket socket) throws IOException;
    }

    /** Returns the status of each honest request by its key, or 0 if there was no answer. */
    public Map<String, Integer> honest() {
        return Map.copyOf(honest);
    }

    /** Requires that requests of the attack were refused, and that nearly all honest ones were answered with 201, and the others with 503. */
    public void requireThatHonestRequestsPassed() {
        assertThat(refused).as("requests of the attack that were refused").hasPositiveValue();
        assertThat(honest.values()).isSubsetOf(201, 503).hasSizeGreaterThanOrEqualTo(3 * HONEST_ANSWERS);
        assertThat(honest.values().stream().filter(status -> status == 201).count())
                .isGreaterThanOrEqualTo(honest.size() * 95L / 100);
    }

    /** Sends honest requests one after the other, so that the server is warm; they do not count. */
    public void warmUp(int requests) {
        for (int i = 0; i < requests; i++) {
            pay();
        }
        honest.clear();
    }

    /** Attacks in each way for this long, and until some honest requests were answered beside it. */
    public void run(Duration each) throws InterruptedException {
        var over = new AtomicBoolean();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < HONEST; i++) {
            clients.add(Thread.startVirtualThread(() -> {
                while (!over.get()) {
                    pay();
                }
            }));
        }
        try {
            for (Attack attack : List.<Attack>of(this::allButOneByte, this::whole, this::inChunks)) {
                attack(each, attack);
            }
        } finally {
            over.set(true);
            for (var client : clients) {
                client.join();
            }
        }
    }

    private void pay() {
        String key = UUID.randomUUID().toString();
        try (var wire = new RawHttpConnection(port)) {
            wire.send(RawHttpRequest.post(path).as(SCOPE).key(key).json("[101,101]"));
            honest.put(key, wire.receive().status());
        } catch (IOException e) {
            honest.put(key, 0);
        }
    }

    private void attack(Duration each, Attack attack) throws InterruptedException {
        var end = new CountDownLatch(1);
        var attackers = new ArrayList<Thread>();
        for (int i = 0; i < MANY; i++) {
            attackers.add(Thread.startVirtualThread(() -> {
                while (end.getCount() > 0) {
                    try (var socket = new Socket()) {
                        socket.setReceiveBufferSize(4096);
                        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                        socket.setSoTimeout(10_000);
                        attack.on(socket);
                    } catch (IOException refusedOrOver) {
                        // As it should.
                    }
                }
            }));
        }
        int enough = honest.size() + HONEST_ANSWERS;
        long begun = System.nanoTime();
        boolean lasts = true;
        while (lasts) {
            boolean ended = end.await(TICK.toMillis(), TimeUnit.MILLISECONDS);
            long elapsed = System.nanoTime() - begun;
            lasts = !ended && elapsed < (honest.size() < enough ? LONGEST : each).toNanos();
        }
        end.countDown();
        for (var attacker : attackers) {
            attacker.interrupt();
            attacker.join();
        }
    }

    private byte[] head(String length) {
        var request = RawHttpRequest.post(path).as(SCOPE).key(UUID.randomUUID().toString());
        return ("POST " + path + " HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", request.lines())
                        + "\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
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

    private void readStatus(Socket socket) throws IOException {
        var answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        if (answer.endsWith("503")) {
            refused.incrementAndGet();
        }
    }

    /** Holds what it got until the attack is over. */
    private void allButOneByte(Socket socket) throws IOException {
        socket.getOutputStream().write(head("Content-Length: " + (LENGTH + 1)));
        socket.getOutputStream().write(body);
        readStatus(socket);
    }

    private void whole(Socket socket) throws IOException {
        socket.getOutputStream().write(head("Content-Length: " + LENGTH));
        socket.getOutputStream().write(body);
        readStatus(socket);
    }

    private void inChunks(Socket socket) throws IOException {
        var out = socket.getOutputStream();
        out.write(head("Transfer-Encoding: chunked"));
        for (int at = 0; at < LENGTH; at += CHUNK) {
            int count = Math.min(CHUNK, LENGTH - at);
            out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body, at, count);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        readStatus(socket);
    }
}
