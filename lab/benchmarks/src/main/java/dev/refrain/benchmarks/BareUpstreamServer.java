package dev.refrain.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Minimal upstream of a gateway, with one response for everything. */
final class BareUpstreamServer implements AutoCloseable {

    /** Path whose requests are held until {@link #answerAll}. */
    static final String SLOW = "/slow";

    private static final byte[] ANSWER = answer();

    private final ServerSocket door;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch allowed = new CountDownLatch(1);

    BareUpstreamServer() throws IOException {
        door = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::welcome);
    }

    private static byte[] answer() {
        String body = "{\"state\":\"paid\",\"padding\":\"" + "x".repeat(900) + "\"}";
        return ("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    String url() {
        return "http://127.0.0.1:" + door.getLocalPort();
    }

    /** Returns the number of requests that are held. */
    int waiting() {
        return waiting.get();
    }

    /** Answers the held requests, and later ones at once. */
    void answerAll() {
        allowed.countDown();
    }

    private void welcome() {
        while (!door.isClosed()) {
            try {
                var guest = door.accept();
                open.add(guest);
                Thread.ofVirtual().start(() -> serve(guest));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket guest) {
        try (guest) {
            guest.setTcpNoDelay(true);
            var in = new BufferedInputStream(guest.getInputStream());
            while (!guest.isClosed()) {
                answer(in, guest);
            }
        } catch (IOException gone) {
            // The gateway closes what it does not need.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(guest);
        }
    }

    private void answer(InputStream in, Socket guest) throws IOException, InterruptedException {
        String request = HttpLineReader.next(in);
        HttpLineReader.skipMessage(in);
        if (request.contains(SLOW)) {
            waiting.incrementAndGet();
            allowed.await();
        }
        guest.getOutputStream().write(ANSWER);
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (var guest : open) {
            guest.close();
        }
    }
}
