package dev.refrain.trials.crashes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Receiver of webhooks, which acts once per key. */
final class WebhookReceiver implements AutoCloseable {

    /** Duration of a delivery, so that a kill finds some under way. */
    private static final Duration WORK = Duration.ofMillis(3);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, List<String>> effects = new ConcurrentHashMap<>();
    private final Map<String, Boolean> keys = new ConcurrentHashMap<>();
    private final AtomicInteger again = new AtomicInteger();
    private final Runnable arrived;

    /** @param arrived is told of each effect */
    WebhookReceiver(Runnable arrived) throws IOException {
        this.arrived = arrived;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        server.createContext("/", this::take);
        server.setExecutor(threads);
        server.start();
    }

    URI at(String topic) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + topic);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String topic = exchange.getRequestURI().getPath().substring(1);
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            if (keys.putIfAbsent(key, true) == null) {
                effects(topic).add(body);
                arrived.run();
            } else {
                again.incrementAndGet();
            }
            Thread.sleep(WORK);
            exchange.sendResponseHeaders(204, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the effects in their order. */
    List<String> effects(String topic) {
        return effects.computeIfAbsent(topic, t -> Collections.synchronizedList(new ArrayList<>()));
    }

    /** Returns the number of repeated deliveries. */
    int again() {
        return again.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
