package dev.refrain.examples.spring.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.refrain.examples.spring.process.ExampleParentWatchdog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bank with its own ledger, which acts once per idempotency key. {@code POST /charges} and {@code POST /refunds} place
 * orders, {@code GET /ledger} lists all orders, and {@code POST /trouble?lose=1&slow=3s} injects faults.
 */
public final class FakeBank {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final FakeBankLedger ledger;
    private final BankFaultInjector faults = new BankFaultInjector();

    private FakeBank(FakeBankLedger ledger) {
        this.ledger = ledger;
    }

    /**
     * Runs the bank.
     *
     * @param arguments the port (0 for a free one) and the file of the ledger
     */
    public static void main(String[] arguments) throws IOException {
        ExampleParentWatchdog.exitWithParent();
        var bank = new FakeBank(FakeBankLedger.in(Path.of(arguments[1])));
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        var server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/charges", bank.orders(FakeBankLedger.Kind.CHARGE));
        server.createContext("/refunds", bank.orders(FakeBankLedger.Kind.REFUND));
        server.createContext("/ledger", exchange -> answer(exchange, 200, bank.ledger.entries()));
        server.createContext("/trouble", exchange -> {
            bank.faults.set(
                    Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse(""));
            answer(exchange, 200, bank.faults.settings());
        });
        server.start();
        System.out.println("Bank at http://localhost:" + server.getAddress().getPort());
    }

    private HttpHandler orders(FakeBankLedger.Kind kind) {
        return exchange -> {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            if (key == null) {
                answer(exchange, 400, Map.of("error", "Idempotency-Key is required."));
                return;
            }
            FakeBankLedger.Order order;
            try {
                order = JSON.readValue(exchange.getRequestBody(), FakeBankLedger.Order.class);
            } catch (JacksonException notReadable) {
                answer(exchange, 400, Map.of("error", "Invalid order: " + notReadable.getOriginalMessage()));
                return;
            }
            var entry = ledger.record(key, kind, order);
            if (!entry.order().equals(order) || entry.kind() != kind) {
                answer(exchange, 422, Map.of("error", "This key was used for a different order."));
                return;
            }
            // The order is carried out and on disk. From here on only the response can fail.
            if (faults.delaysOrLosesResponse()) {
                exchange.close();
            } else if (entry.declined().isEmpty()) {
                answer(exchange, 201, Map.of("id", entry.id()));
            } else {
                answer(exchange, 402, Map.of("id", entry.id(), "decline_code", entry.declined()));
            }
        };
    }

    private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
