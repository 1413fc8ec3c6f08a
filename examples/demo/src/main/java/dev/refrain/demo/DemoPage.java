package dev.refrain.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The demo in a browser: one page with a button for each scenario. */
public final class DemoPage implements AutoCloseable {

    private static final Map<String, String> FILES = Map.of(
            "demo.html", "text/html; charset=utf-8",
            "demo.css", "text/css; charset=utf-8",
            "demo.js", "text/javascript; charset=utf-8");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final HttpServer server;
    private final ShopAndBankProcesses town;
    private final ScenarioRunner stage;

    private DemoPage(HttpServer server, ShopAndBankProcesses town) {
        this.server = server;
        this.town = town;
        this.stage = new ScenarioRunner(town);
        server.createContext("/", this::file);
        server.createContext("/play", this::play);
        server.createContext("/console", this::console);
        server.start();
    }

    /**
     * @param parent where a folder is made for as long as it runs
     * @param port 0 for any that is free
     */
    public static DemoPage start(Path parent, int port) throws DemoFailedException, InterruptedException {
        HttpServer server;
        try {
            server = DemoHttpSupport.server(port);
        } catch (IOException taken) {
            throw new DemoFailedException(
                    "Port " + port + " can't be listened on (" + taken.getMessage()
                            + "): name another by --port, 0 for any that is free.",
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
            DemoHttpSupport.answer(exchange, 404, Map.of("error", "There is no such page."));
            return;
        }
        try (var in = DemoPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The file " + name + " is missing from this jar.");
            }
            exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            DemoHttpSupport.answer(exchange, 200, type, in.readAllBytes());
        }
    }

    /** Only from the page itself: a page of another site cannot send that header here without being asked first. */
    private void play(HttpExchange exchange) throws IOException {
        var scenario = Optional.of(exchange.getRequestURI().getPath().substring("/play/".length()))
                .flatMap(name -> List.of(DemoScenario.values()).stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst());
        boolean ours = exchange.getRequestMethod().equals("POST")
                && exchange.getRequestHeaders().containsKey("X-Refrain-Demo");
        if (scenario.isEmpty() || !ours) {
            DemoHttpSupport.answer(exchange, 404, Map.of("error", "This is for the buttons of the page."));
            return;
        }
        try {
            DemoHttpSupport.answer(exchange, 200, ScenarioResultJson.of(stage.play(scenario.get()), stage::story));
        } catch (DemoFailedException failure) {
            DemoHttpSupport.answer(exchange, 500, Map.of("error", String.valueOf(failure.getMessage())));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /** The shop, and its console with it, is elsewhere after each kill. */
    private void console(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key =
                    town.shop().resolve(KeyHistoryServlet.PATH) + "?console&order=" + DemoHttpSupport.order(exchange);
            exchange.getResponseHeaders().set("Location", key);
            exchange.sendResponseHeaders(302, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        town.close();
    }
}
