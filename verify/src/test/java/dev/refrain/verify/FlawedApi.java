package dev.refrain.verify;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.json.JsonMapper;

/** Small payments API with its own idempotency keys, correct except for one flaw. */
final class FlawedApi implements AutoCloseable {

    static final Duration RETENTION = Duration.ofMinutes(1);

    private static final JsonMapper JSON = JsonMapper.shared();

    /** State of a key. */
    private static final class KeyEntry {
        private final String fingerprint;
        private final Duration born;
        private volatile Optional<Reply> reply = Optional.empty();

        KeyEntry(String fingerprint, Duration born) {
            this.fingerprint = fingerprint;
            this.born = born;
        }
    }

    private record Reply(int status, String type, String location, String body) {}

    private final ApiFlaw flaw;
    private final int workMs;
    private final String scheme;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, KeyEntry> entries = new ConcurrentHashMap<>();
    private final AtomicInteger payments = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Duration passed = Duration.ZERO;

    FlawedApi(ApiFlaw flaw) throws IOException {
        this(flaw, Optional.empty());
    }

    FlawedApi(ApiFlaw flaw, Optional<SSLContext> tls) throws IOException {
        this.flaw = flaw;
        // Long enough for a client to disconnect in time even on a busy machine.
        this.workMs = flaw == ApiFlaw.HANG_UP_FREES_THE_KEY ? 200 : 20;
        this.scheme = tls.isPresent() ? "https" : "http";
        var free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls.isPresent()) {
            var secure = HttpsServer.create(free, 200);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
            server = secure;
        } else {
            server = HttpServer.create(free, 200);
        }
        server.setExecutor(threads);
        server.createContext("/payments", this::handle);
        server.start();
    }

    URI address() {
        return URI.create(scheme + "://localhost:" + server.getAddress().getPort());
    }

    /** Creates a verifier that uses this API's clock, so that a slow machine makes nothing late. */
    ApiVerifier verified(VerifySettings subject, Collection<String> only) {
        return ApiVerifier.of(subject, only, List.of()).withClock(time -> passed = passed.plus(time));
    }

    ApiVerifier verified(VerifySettings subject) {
        return verified(subject, List.of());
    }

    /** Number of requests to the route. */
    int requests() {
        return requests.get();
    }

    int payments() {
        return payments.get();
    }

    private boolean has(ApiFlaw other) {
        return flaw == other;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                count(exchange);
            } else {
                requests.incrementAndGet();
                pay(exchange);
            }
        }
    }

    private void count(HttpExchange exchange) throws IOException {
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (has(ApiFlaw.REPLAYS_ON_GET) && key != null) {
            send(exchange, new Reply(201, "application/json", "/payments/0", "{}"), true);
            return;
        }
        int counted = has(ApiFlaw.COUNT_STANDS_STILL) ? 100 : payments.get();
        send(exchange, new Reply(200, "application/json", "", "{\"payments\":" + counted + "}"), false);
    }

    /** Reads the body of rejected requests too: over TLS the JDK's server may not find the next request otherwise. */
    private void pay(HttpExchange exchange) throws IOException {
        Optional<String> key;
        try {
            key = key(exchange);
        } catch (IllegalArgumentException malformed) {
            body(exchange);
            problem(exchange, has(ApiFlaw.FAILS_ON_MALFORMED) ? 500 : 400, "key-malformed");
            return;
        }
        if (key.isEmpty() || has(ApiFlaw.NO_KEYS_AT_ALL)) {
            if (has(ApiFlaw.RUNS_WITHOUT_KEY) || has(ApiFlaw.NO_KEYS_AT_ALL)) {
                send(exchange, work(body(exchange)), false);
            } else {
                body(exchange);
                problem(exchange, 400, "key-missing");
            }
            return;
        }
        if (has(ApiFlaw.HALF_A_REQUEST_TAKES_THE_KEY)) {
            var before = new KeyEntry("", passed);
            if (entries.putIfAbsent(scoped(exchange, key.get()), before) == null) {
                String body = body(exchange);
                entries.remove(scoped(exchange, key.get()), before);
                protectedPay(exchange, key.get(), body);
                return;
            }
        }
        protectedPay(exchange, key.get(), body(exchange));
    }

    private void protectedPay(HttpExchange exchange, String key, String body) throws IOException {
        String name = has(ApiFlaw.SAME_BODY_OTHER_KEY_IS_REPLAYED) ? body : scoped(exchange, key);
        if (has(ApiFlaw.OTHER_BODY_RUNS)) {
            name += body;
        }
        if (has(ApiFlaw.REORDERED_RUNS_AGAIN)) {
            name += body.length();
        }
        String fingerprint = fingerprint(exchange, body);
        entries.computeIfPresent(name, (same, entry) -> isOver(entry) ? null : entry);
        var mine = new KeyEntry(fingerprint, passed);
        var other = claim(name, mine);
        if (other.isPresent()) {
            again(exchange, other.get(), fingerprint);
            return;
        }
        var reply = work(body);
        boolean kept = reply.status() == 201 || !has(ApiFlaw.KEEPS_NO_FAILURES);
        if (has(ApiFlaw.ANSWERS_BEFORE_IT_STORES)) {
            try {
                sendSlowly(exchange, reply);
            } catch (IOException hungUp) {
                entries.remove(name, mine);
                return;
            }
            mine.reply = Optional.of(reply);
            return;
        }
        if (kept) {
            mine.reply = Optional.of(reply);
        } else {
            entries.remove(name, mine);
        }
        try {
            send(exchange, reply, false);
        } catch (IOException hungUp) {
            if (has(ApiFlaw.HANG_UP_FREES_THE_KEY)) {
                entries.remove(name, mine);
            }
        }
    }

    private Optional<KeyEntry> claim(String name, KeyEntry mine) {
        if (has(ApiFlaw.CHECKS_THEN_SETS)) {
            var other = Optional.ofNullable(entries.get(name)).filter(entry -> entry.reply.isPresent());
            if (other.isEmpty()) {
                entries.put(name, mine);
            }
            return other;
        }
        return Optional.ofNullable(entries.putIfAbsent(name, mine));
    }

    private void again(HttpExchange exchange, KeyEntry entry, String fingerprint) throws IOException {
        if (!entry.fingerprint.equals(fingerprint)) {
            problem(exchange, has(ApiFlaw.MISMATCH_IS_409) ? 409 : 422, "key-reused");
        } else if (entry.reply.isEmpty() && has(ApiFlaw.TWIN_GETS_AN_EMPTY_SUCCESS)) {
            send(exchange, new Reply(201, "application/json", "", ""), false);
        } else if (entry.reply.isEmpty()) {
            if (!has(ApiFlaw.NO_RETRY_AFTER)) {
                exchange.getResponseHeaders().set("Retry-After", "0");
            }
            problem(exchange, 409, "in-progress");
        } else {
            replay(exchange, entry.reply.get());
        }
    }

    private void replay(HttpExchange exchange, Reply kept) throws IOException {
        String body = has(ApiFlaw.REPLAYS_OTHER_BYTES) ? kept.body().replace("{", "{ ") : kept.body();
        String location = has(ApiFlaw.LOSES_LOCATION) ? "" : kept.location();
        int status = has(ApiFlaw.REPLAYS_AS_200) && kept.status() == 201 ? 200 : kept.status();
        send(exchange, new Reply(status, kept.type(), location, body), true);
    }

    private boolean isOver(KeyEntry entry) {
        if (has(ApiFlaw.NEVER_FORGETS) || entry.reply.isEmpty()) {
            return false;
        }
        return has(ApiFlaw.FORGETS_TOO_SOON) || passed.minus(entry.born).compareTo(RETENTION) > 0;
    }

    private Optional<String> key(HttpExchange exchange) {
        var lines = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        check(lines.size() == 1 || has(ApiFlaw.TAKES_FIRST_OF_TWO_KEYS));
        String line = lines.getFirst();
        boolean quoted = line.length() > 1 && line.startsWith("\"") && line.endsWith("\"");
        String key = quoted && !has(ApiFlaw.BARE_IS_ANOTHER_KEY) ? line.substring(1, line.length() - 1) : line;
        check(!key.isEmpty() || has(ApiFlaw.EMPTY_IS_A_KEY));
        if (!has(ApiFlaw.TAKES_CONTROL_BYTES)) {
            check(key.chars().allMatch(c -> c > ' ' && c < 127));
        }
        check(has(ApiFlaw.BARE_IS_ANOTHER_KEY) || !key.contains("\""));
        if (has(ApiFlaw.CUTS_LONG_KEYS)) {
            key = key.substring(0, Math.min(64, key.length()));
        }
        return Optional.of(has(ApiFlaw.IGNORES_CAPITALS) ? key.toLowerCase(Locale.ROOT) : key);
    }

    private static void check(boolean good) {
        if (!good) {
            throw new IllegalArgumentException();
        }
    }

    private String scoped(HttpExchange exchange, String key) {
        var caller = exchange.getRequestHeaders().getFirst("Authorization");
        return has(ApiFlaw.IGNORES_THE_CALLER) ? key : caller + " " + key;
    }

    private String fingerprint(HttpExchange exchange, String body) {
        if (has(ApiFlaw.COMPARES_NOTHING)) {
            return "";
        }
        String query = has(ApiFlaw.QUERY_IS_NOT_COMPARED)
                ? ""
                : exchange.getRequestURI().getRawQuery();
        String trace =
                has(ApiFlaw.TRACING_COUNTS) ? exchange.getRequestHeaders().getFirst("traceparent") : "";
        var tree = new TreeMap<String, String>();
        JSON.readTree(body)
                .properties()
                .forEach(member -> tree.put(member.getKey(), member.getValue().toString()));
        return query + trace + tree;
    }

    private void sendSlowly(HttpExchange exchange, Reply reply) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", reply.type());
        exchange.getResponseHeaders().set("Location", reply.location());
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().flush();
        takeTime();
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().flush();
    }

    /** Keeps the work running long enough for the cases about requests in flight. */
    private void takeTime() {
        try {
            Thread.sleep(workMs);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Reply work(String body) {
        takeTime();
        var order = JSON.readTree(body);
        if (order.path("card").asString("").equals("declined")) {
            return new Reply(402, "application/json", "", "{\"declined\":\"" + UUID.randomUUID() + "\"}");
        }
        int id = payments.incrementAndGet();
        return new Reply(
                201,
                "application/json",
                "/payments/" + id,
                "{\"id\":" + id + ",\"amount\":" + order.path("amount") + "}");
    }

    private void problem(HttpExchange exchange, int status, String name) throws IOException {
        exchange.getResponseHeaders().set("Link", "</docs#" + name + ">; rel=\"describedby\"");
        if (has(ApiFlaw.ERRORS_IN_HTML)) {
            send(exchange, new Reply(status, "text/html", "", "<h1>" + name + "</h1>"), false);
            return;
        }
        String type = has(ApiFlaw.PROBLEM_WITHOUT_TYPE) ? "" : "\"type\":\"urn:problem:" + name + "\",";
        String body = "{" + type + "\"title\":\"" + name + "\",\"status\":" + status + "}";
        send(exchange, new Reply(status, "application/problem+json", "", body), false);
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, Reply reply, boolean replayed) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", reply.type());
        if (!reply.location().isEmpty()) {
            headers.set("Location", reply.location());
        }
        if (replayed) {
            headers.set("Idempotent-Replayed", "true");
        }
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        // A disconnected client fails here, and not when the exchange is closed.
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
