package dev.refrain.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * A service that makes payments and keeps each of them as a line of a file, with the key that it was told: what is in there took effect,
 * whatever became of the service afterwards.
 *
 * <p>{@code POST /pay} makes one; {@code GET /payments} lists all; {@code GET /payments/by-key?key=…} finds one.
 */
final class PaymentsService implements AutoCloseable {

    private final HttpServer server;
    private final Path ledger;
    private final KeySupport manner;
    private final Duration pause;
    private final List<String> keys;

    /** Support of keys by the service. */
    enum KeySupport {
        /** Nothing: who asks twice pays twice. */
        PLAIN,
        /** Honours keys: the same key again is the same payment. */
        KNOWS_KEYS
    }

    /** @param pause between the payment and its answer */
    PaymentsService(int port, Path ledger, KeySupport manner, Duration pause) throws IOException {
        this.ledger = ledger;
        this.manner = manner;
        this.pause = pause;
        this.keys = new ArrayList<>(effects(ledger));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    /** The keys of what took effect, one for each time. */
    static List<String> effects(Path ledger) throws IOException {
        return Files.exists(ledger) ? Files.readAllLines(ledger) : List.of();
    }

    public static void main(String[] arguments) throws Exception {
        try (var service = new PaymentsService(
                Integer.parseInt(arguments[0]),
                Path.of(arguments[1]),
                KeySupport.valueOf(arguments[2]),
                Duration.ofMillis(Integer.parseInt(arguments[3])))) {
            System.out.println("port " + service.port());
            new CountDownLatch(1).await();
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            if (exchange.getRequestMethod().equals("POST")) {
                pay(exchange, body);
            } else if (path.equals("/payments/by-key")) {
                String query = exchange.getRequestURI().getRawQuery();
                byKey(exchange, URLDecoder.decode(query.substring("key=".length()), StandardCharsets.UTF_8));
            } else {
                answer(exchange, 200, all());
            }
        }
    }

    private void pay(HttpExchange exchange, String body) throws IOException {
        if (body.contains("\"amount\":0")) {
            answer(exchange, 402, "{\"error\":\"declined\"}");
            return;
        }
        String key = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key"))
                .orElse("")
                .replace("\"", "");
        int id = paid(key);
        try {
            Thread.sleep(pause);
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
        answer(exchange, 201, payment(id));
    }

    private synchronized int paid(String key) throws IOException {
        int known = manner == KeySupport.KNOWS_KEYS ? keys.indexOf(key) : -1;
        if (known >= 0) {
            return known;
        }
        Files.writeString(ledger, key + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        keys.add(key);
        return keys.size() - 1;
    }

    private void byKey(HttpExchange exchange, String key) throws IOException {
        int known;
        synchronized (this) {
            known = keys.indexOf(key);
        }
        answer(exchange, known < 0 ? 404 : 200, known < 0 ? "{}" : payment(known));
    }

    private synchronized String all() {
        return keys.stream().map(key -> "1").collect(Collectors.joining(",", "{\"payments\":[", "]}"));
    }

    private static String payment(int id) {
        return "{\"id\":" + id + "}";
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
