package dev.refrain.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Demo in a browser: one page with a button for each scenario. Thread-safe. */
public final class DemoPage implements AutoCloseable {

    private static final Map<String, String> FILES = Map.of(
            "demo.html", "text/html; charset=utf-8",
            "demo.css", "text/css; charset=utf-8",
            "demo.js", "text/javascript; charset=utf-8");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final HttpServer server;
    private final ShopAndBankProcesses processes;
    private final ScenarioRunner runner;

    private DemoPage(HttpServer server, ShopAndBankProcesses processes) {
        this.server = server;
        this.processes = processes;
        this.runner = new ScenarioRunner(processes);
        server.createContext("/", this::file);
        server.createContext("/play", this::play);
        server.createContext("/console", this::console);
        server.start();
    }

    /**
     * Starts the page with its shop and bank.
     *
     * @param parent the directory in which a temporary directory is created
     * @param port the port to listen on; 0 for a free one
     * @throws DemoFailedException if the port is taken or a process does not start
     */
    public static DemoPage start(Path parent, int port) throws DemoFailedException, InterruptedException {
        HttpServer server;
        try {
            server = DemoHttpSupport.server(port);
        } catch (IOException taken) {
            throw new DemoFailedException(
                    "Cannot listen on port " + port + " (" + taken.getMessage()
                            + "). Choose another with --port, or 0 for a free one.",
                    taken);
        }
        try {
            return new DemoPage(server, ShopAndBankProcesses.start(parent));
        } catch (DemoFailedException | InterruptedException | RuntimeException failed) {
            server.stop(0);
            throw failed;
        }
    }

    public URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    private void file(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(1);
        String name = path.isEmpty() ? "demo.html" : path;
        String type = FILES.get(name);
        if (type == null) {
            DemoHttpSupport.answer(exchange, 404, Map.of("error", "Page not found."));
            return;
        }
        try (var in = DemoPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing from the demo's jar.");
            }
            exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            DemoHttpSupport.answer(exchange, 200, type, in.readAllBytes());
        }
    }

    /** Accepts requests from the page only: other sites cannot send that header here without a CORS preflight. */
    private void play(HttpExchange exchange) throws IOException {
        var scenario = Optional.of(exchange.getRequestURI().getPath().substring("/play/".length()))
                .flatMap(name -> List.of(DemoScenario.values()).stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst());
        boolean fromPage = exchange.getRequestMethod().equals("POST")
                && exchange.getRequestHeaders().containsKey("X-Refrain-Demo");
        if (scenario.isEmpty() || !fromPage) {
            DemoHttpSupport.answer(exchange, 404, Map.of("error", "Use the buttons of the page."));
            return;
        }
        try {
            DemoHttpSupport.answer(
                    exchange, 200, ScenarioResultJson.of(runner.play(scenario.get()), runner::keyHistory));
        } catch (DemoFailedException failure) {
            DemoHttpSupport.answer(exchange, 500, Map.of("error", String.valueOf(failure.getMessage())));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /** Redirects to the console of the current shop process, whose port changes with each kill. */
    private void console(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = processes.shop().resolve(KeyHistoryServlet.PATH) + "?console&order="
                    + DemoHttpSupport.order(exchange);
            exchange.getResponseHeaders().set("Location", key);
            exchange.sendResponseHeaders(302, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        processes.close();
    }
}
