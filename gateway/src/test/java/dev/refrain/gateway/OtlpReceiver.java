package dev.refrain.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Receiver of spans by OTLP over HTTP, in Protocol Buffers. */
final class OtlpReceiver implements AutoCloseable {

    private final HttpServer server;
    private final Queue<Span> spans = new ConcurrentLinkedQueue<>();
    private final Queue<String> raw = new ConcurrentLinkedQueue<>();

    record Span(String trace, String id, String parent, String name, Map<String, String> attributes) {}

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            byte[] bytes = exchange.getRequestBody().readAllBytes();
            raw.add(new String(bytes, StandardCharsets.ISO_8859_1));
            // Numbers of fields: resource_spans, scope_spans, spans.
            for (var resource : ProtoField.all(bytes, 1)) {
                for (var scope : ProtoField.all(resource.bytes(), 2)) {
                    ProtoField.all(scope.bytes(), 2).forEach(span -> spans.add(span(span.bytes())));
                }
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    private static Span span(byte[] bytes) {
        return new Span(
                hex(bytes, 1),
                hex(bytes, 2),
                hex(bytes, 4),
                ProtoField.all(bytes, 5).getFirst().text(),
                ProtoField.all(bytes, 9).stream()
                        .collect(Collectors.toMap(
                                pair -> ProtoField.all(pair.bytes(), 1)
                                        .getFirst()
                                        .text(),
                                pair -> value(ProtoField.all(pair.bytes(), 2)
                                        .getFirst()
                                        .bytes()))));
    }

    private static String hex(byte[] bytes, int field) {
        return ProtoField.all(bytes, field).stream()
                .map(found -> HexFormat.of().formatHex(found.bytes()))
                .collect(Collectors.joining());
    }

    private static String value(byte[] any) {
        var text = ProtoField.all(any, 1);
        return text.isEmpty()
                ? Long.toString(ProtoField.all(any, 3).getFirst().number())
                : text.getFirst().text();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    /** All that was ever sent. */
    String raw() {
        return String.join("", raw);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
