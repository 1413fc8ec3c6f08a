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
 * A bank with a ledger of its own, which acts once for each idempotency key. {@code POST /charges} and {@code POST /refunds} are
 * orders, {@code GET /ledger} shows all that was ordered, and {@code POST /trouble?lose=1&slow=PT3S} makes it misbehave.
 */
public final class FakeBank {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final FakeBankLedger ledger;
    private final BankFaultInjector trouble = new BankFaultInjector();

    private FakeBank(FakeBankLedger ledger) {
        this.ledger = ledger;
    }

    /** @param arguments the port, 0 for any that is free, and the file of the ledger */
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
            bank.trouble.set(
                    Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse(""));
            answer(exchange, 200, bank.trouble.told());
        });
        server.start();
        System.out.println("Bank at http://localhost:" + server.getAddress().getPort());
    }

    private HttpHandler orders(FakeBankLedger.Kind kind) {
        return exchange -> {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            if (key == null) {
                answer(exchange, 400, Map.of("error", "No order without an Idempotency-Key."));
                return;
            }
            FakeBankLedger.Order order;
            try {
                order = JSON.readValue(exchange.getRequestBody(), FakeBankLedger.Order.class);
            } catch (JacksonException notReadable) {
                answer(exchange, 400, Map.of("error", "This is no order: " + notReadable.getOriginalMessage()));
                return;
            }
            var entry = ledger.enter(key, kind, order);
            if (!entry.order().equals(order) || entry.kind() != kind) {
                answer(exchange, 422, Map.of("error", "This key is that of another order."));
                return;
            }
            // The order is carried out and on disk. Only its answer can still go astray.
            if (trouble.losesThisOne()) {
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
