package dev.refrain.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A service on bare sockets, so that it can misbehave in every way that a service can. */
final class RawUpstream implements AutoCloseable {

    /** Reaction to a request that was read. */
    @FunctionalInterface
    interface UpstreamBehavior {
        void serve(ReceivedRequest seen, Socket socket) throws Exception;
    }

    /** @param connection the how manieth connection it came on */
    record ReceivedRequest(String line, List<String> headers, String body, int connection) {
        Optional<String> header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ":";
            return headers.stream()
                    .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(header -> header.substring(start.length()).strip())
                    .findFirst();
        }

        boolean isPost() {
            return line.startsWith("POST ");
        }
    }

    private final ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final Queue<ReceivedRequest> seen = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread accepting;
    private volatile UpstreamBehavior manner;

    RawUpstream(UpstreamBehavior first) throws IOException {
        manner = first;
        accepting = Thread.startVirtualThread(() -> {
            while (!server.isClosed()) {
                try {
                    var socket = server.accept();
                    sockets.add(socket);
                    int number = connections.incrementAndGet();
                    Thread.startVirtualThread(() -> serve(socket, number));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            var in = socket.getInputStream();
            while (!socket.isClosed()) {
                var request = read(in, socket, number);
                seen.add(request);
                manner.serve(request, socket);
            }
        } catch (Exception over) {
            // The other side went, or this one did on purpose.
        }
    }

    private static ReceivedRequest read(InputStream in, Socket socket, int number) throws IOException {
        String line = line(in);
        var headers = new ArrayList<String>();
        for (String next = line(in); !next.isEmpty(); next = line(in)) {
            headers.add(next);
        }
        var head = new ReceivedRequest(line, headers, "", number);
        if (head.header("Expect").isPresent()) {
            write(socket, "HTTP/1.1 100 Continue\r\n\r\n");
        }
        int length = head.header("Content-Length").map(Integer::parseInt).orElse(0);
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("It is no whole request.");
        }
        return new ReceivedRequest(line, headers, new String(body, StandardCharsets.UTF_8), number);
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    void from(UpstreamBehavior next) {
        manner = next;
    }

    List<ReceivedRequest> posts() {
        return seen.stream().filter(ReceivedRequest::isPost).toList();
    }

    List<ReceivedRequest> all() {
        return List.copyOf(seen);
    }

    String address() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    static UpstreamBehavior answering(int status, String body) {
        return (request, socket) -> answer(socket, status, body);
    }

    static void answer(Socket socket, int status, String body) throws IOException {
        write(
                socket,
                "HTTP/1.1 " + status + " Said\r\nContent-Type: text/plain\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body);
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Closes in the hard way. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        server.close();
        joinAccepting();
        for (var socket : sockets) {
            socket.close();
        }
    }

    /** Until it has left, the port takes connections. */
    private void joinAccepting() {
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
