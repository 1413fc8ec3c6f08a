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

/** Sends requests to one path on persistent connections, with a minimal client. */
final class HttpRequestWorkload implements BenchmarkWorkload {

    private static final String BODY = """
            {"account":"DE02120300000000202051","amount":1299,"currency":"EUR","reference":"order 4711"}""";

    private final String name;
    private final int port;
    private final String path;
    private final Supplier<String> keys;
    private final String headers;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    HttpRequestWorkload(String name, int port, String path, Supplier<String> keys) {
        this(name, port, path, keys, "");
    }

    private HttpRequestWorkload(String name, int port, String path, Supplier<String> keys, String headers) {
        this.name = name;
        this.port = port;
        this.path = path;
        this.keys = keys;
        this.headers = headers;
    }

    /** Returns this workload with one more header. */
    HttpRequestWorkload with(String header) {
        return new HttpRequestWorkload(name, port, path, keys, headers + header + "\r\n");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void callOnce() {
        try {
            var connection = idle.poll();
            if (connection == null) {
                connection = new Connection(port);
            }
            int status = connection.send(path, keys.get(), headers);
            idle.add(connection);
            if (status == 503) {
                throw new RequestRefusedException();
            }
            if (status != 201) {
                throw new MeasurementFailedException(name + " was answered " + status + ".");
            }
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

    /** Persistent connection. */
    private static final class Connection {
        private final Socket socket;
        private final InputStream in;

        Connection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        int send(String path, String key, String headers) throws IOException {
            String request = "POST " + path
                    + " HTTP/1.1\r\nHost: localhost\r\n" + headers
                    + "Content-Type: application/json\r\nIdempotency-Key: \"" + key + "\"\r\nContent-Length: "
                    + BODY.length() + "\r\n\r\n" + BODY;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            int status = Integer.parseInt(HttpLineReader.next(in).substring(9, 12));
            HttpLineReader.skipMessage(in);
            return status;
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
