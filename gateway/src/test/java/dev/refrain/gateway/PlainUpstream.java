package dev.refrain.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.refrain.http.cases.HandlerResponseStyle;
import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.cases.TestHandlerRequest;
import dev.refrain.http.cases.TestHandlerResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A service that knows nothing of idempotency keys, on the JDK's own server. */
final class PlainUpstream implements AutoCloseable {

    private static final Pattern PART =
            Pattern.compile("name=\"([^\"]+)\"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--", Pattern.DOTALL);

    private final HttpServer server;
    private final TestHandler handler;

    PlainUpstream(TestHandler handler) throws IOException {
        this.handler = handler;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    static Set<HandlerResponseStyle> ways() {
        return EnumSet.of(
                HandlerResponseStyle.STREAM,
                HandlerResponseStyle.FLUSHED,
                HandlerResponseStyle.ERROR,
                HandlerResponseStyle.THROWN,
                HandlerResponseStyle.BROKEN);
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var steered = new OutcomeHeaderClaim();
            TestHandlerResponse given;
            try {
                given = handler.handle(asked(exchange, steered));
            } catch (Exception | Error e) {
                given = TestHandlerResponse.of(500, "Something went wrong.");
            }
            if (given.style() == HandlerResponseStyle.THROWN || given.style() == HandlerResponseStyle.BROKEN) {
                given = TestHandlerResponse.of(500, "Something went wrong.");
            }
            given.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
            steered.said().ifPresent(said -> exchange.getResponseHeaders().set(UpstreamOutcomeHeader.HEADER, said));
            write(exchange, given);
        }
    }

    private static void write(HttpExchange exchange, TestHandlerResponse given) throws IOException {
        byte[] bytes = given.bytes();
        boolean flushed = given.style() == HandlerResponseStyle.FLUSHED;
        exchange.sendResponseHeaders(given.status(), bytes.length == 0 ? -1 : flushed ? 0 : bytes.length);
        if (flushed) {
            for (byte b : bytes) {
                exchange.getResponseBody().write(b);
                exchange.getResponseBody().flush();
            }
        } else if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static TestHandlerRequest asked(HttpExchange exchange, OutcomeHeaderClaim steered) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("")
                .toLowerCase(Locale.ROOT);
        Map<String, String> parameters = new LinkedHashMap<>();
        fields(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""), parameters);
        if (type.startsWith("application/x-www-form-urlencoded")) {
            fields(body, parameters);
        }
        if (type.startsWith("multipart/")) {
            PART.matcher(body).results().forEach(part -> parameters.put(part.group(1), part.group(2)));
        }
        return new TestHandlerRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                body,
                parameters,
                Optional.of(steered));
    }

    private static void fields(String text, Map<String, String> into) {
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                into.putIfAbsent(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
