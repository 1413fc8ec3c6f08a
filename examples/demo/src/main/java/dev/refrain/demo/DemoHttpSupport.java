package dev.refrain.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/** HTTP server of the JDK, set up for the demo: on localhost only, with JSON responses. */
final class DemoHttpSupport {

    private static final JsonMapper JSON = JsonMapper.shared();

    private DemoHttpSupport() {}

    static HttpServer server(int port) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        return server;
    }

    /** Returns the value of {@code order=} in the query. */
    static String order(HttpExchange exchange) {
        String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
        return query.startsWith("order=") ? query.substring("order=".length()) : "";
    }

    static void answer(HttpExchange exchange, int status, Object body) throws IOException {
        answer(exchange, status, "application/json", JSON.writeValueAsBytes(body));
    }

    static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
