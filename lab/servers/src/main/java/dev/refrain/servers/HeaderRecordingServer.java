package dev.refrain.servers;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** HTTP server that answers everything with an empty 200 and records one header of each request. */
public final class HeaderRecordingServer implements AutoCloseable {

    private final HttpServer server;
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private HeaderRecordingServer(HttpServer server) {
        this.server = server;
    }

    /** @param header what is remembered; {@code none} where it was not sent */
    public static HeaderRecordingServer of(String header) throws IOException {
        var recording = new HeaderRecordingServer(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        recording.server.createContext("/", exchange -> {
            recording.seen.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst(header))
                    .orElse("none"));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        recording.server.start();
        return recording;
    }

    public URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    /** Returns the recorded headers in the order of arrival. */
    public List<String> seen() {
        return seen;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
