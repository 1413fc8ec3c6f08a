package dev.refrain.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves a console on its own port with the HTTP server of the JDK. Has no TLS: use it on localhost or behind a proxy.
 * Thread-safe.
 *
 * {@snippet :
 * try (var server = ConsoleServer.start(console, new InetSocketAddress("localhost", 8079))) {
 *     System.out.println(server.address());
 * }
 * }
 */
public final class ConsoleServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ConsoleServer.class.getName());

    private final HttpServer server;
    private final ExecutorService threads;

    private ConsoleServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts a server.
     *
     * @throws UncheckedIOException if the address cannot be bound
     */
    public static ConsoleServer start(OperatorConsole console, InetSocketAddress address) {
        try {
            var server = HttpServer.create(address, 0);
            var threads = Executors.newVirtualThreadPerTaskExecutor();
            server.setExecutor(threads);
            server.createContext("/", exchange -> answer(console, exchange));
            server.start();
            return new ConsoleServer(server, threads);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start the console on " + address, e);
        }
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    private static void answer(OperatorConsole console, HttpExchange exchange) throws IOException {
        try (exchange) {
            var reply = reply(console, exchange);
            reply.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
            byte[] body = reply.body().bytes();
            boolean none = exchange.getRequestMethod().equals("HEAD") || body.length == 0;
            exchange.sendResponseHeaders(reply.status(), none ? -1 : body.length);
            if (!none) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private static ConsoleReply reply(OperatorConsole console, HttpExchange exchange) throws IOException {
        byte[] form = exchange.getRequestBody().readNBytes(ConsoleRequest.MAX_FORM_BYTES + 1);
        if (form.length > ConsoleRequest.MAX_FORM_BYTES) {
            return ConsoleReply.of(413, "text/plain; charset=utf-8", new byte[0]);
        }
        try {
            return console.answer(request(exchange, form));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "The console failed to handle a request; responded with 500.", e);
            return ConsoleReply.of(500, "text/plain; charset=utf-8", new byte[0]);
        }
    }

    private static ConsoleRequest request(HttpExchange exchange, byte[] form) {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!values.isEmpty()) {
                headers.put(name.toLowerCase(Locale.ROOT), values.getFirst());
            }
        });
        var uri = exchange.getRequestURI();
        return new ConsoleRequest(
                exchange.getRequestMethod(),
                uri.getPath() == null ? "/" : uri.getPath(),
                "",
                UrlEncodedFormParser.parse(uri.getRawQuery()),
                UrlEncodedFormParser.parse(headers.getOrDefault("content-type", ""), form),
                headers,
                false,
                Optional.empty(),
                Map.of());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
