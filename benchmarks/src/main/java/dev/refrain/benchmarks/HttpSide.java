package dev.refrain.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Sends one request after the other to one path, on connections that stay open; as little client as can be. */
final class HttpSide implements Side {

    private static final String BODY = """
            {"account":"DE02120300000000202051","amount":1299,"currency":"EUR","reference":"order 4711"}""";

    private final String name;
    private final int port;
    private final String path;
    private final Supplier<String> keys;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    HttpSide(String name, WebShop shop, String path, Supplier<String> keys) {
        this.name = name;
        this.port = shop.port();
        this.path = path;
        this.keys = keys;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void once() {
        try {
            var connection = idle.poll();
            if (connection == null) {
                connection = new Connection(port);
            }
            int status = connection.send(path, keys.get());
            if (status != 201) {
                throw new BenchException(name + " was answered " + status + ".");
            }
            idle.add(connection);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (var connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
    }

    /** One connection that stays open. */
    private static final class Connection {
        private final Socket socket;
        private final InputStream in;

        Connection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        int send(String path, String key) throws IOException {
            String request = "POST " + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: \"" + key
                    + "\"\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            int status = Integer.parseInt(line().substring(9, 12));
            int length = -1;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                    length = Integer.parseInt(header.substring(15).strip());
                }
            }
            if (length >= 0) {
                in.skipNBytes(length);
            } else {
                for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                    in.skipNBytes(size + 2L);
                }
                line();
            }
            return status;
        }

        private String line() throws IOException {
            var line = new StringBuilder(64);
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("The server closed the connection.");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
