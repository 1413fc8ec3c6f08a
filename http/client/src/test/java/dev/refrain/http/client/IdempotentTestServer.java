package dev.refrain.http.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Server that runs each key once and keeps its response. Loses some responses. */
final class IdempotentTestServer implements Closeable {

    private final HttpServer server;
    private final Map<String, String> kept = new ConcurrentHashMap<>();
    private final AtomicInteger toLose;
    final AtomicInteger works = new AtomicInteger();

    IdempotentTestServer(int answersToLose) throws IOException {
        toLose = new AtomicInteger(answersToLose);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/payments");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            var before = kept.putIfAbsent(key, "receipt of " + key);
            if (before == null) {
                works.incrementAndGet();
            } else {
                exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            }
            if (toLose.getAndDecrement() > 0) {
                return;
            }
            var answer = kept.get(key).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
