package dev.refrain.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.json.JsonMapper;

/**
 * A bank with a ledger of its own. {@code POST /charges} charges, once for each Idempotency-Key, or each time if there is none. {@code GET
 * /charges?order=NAME} shows the ledger. {@code POST /trouble/lose?order=NAME} and {@code /trouble/hold} are about the next answer to that
 * order: the charge is made, and its answer is lost, or never comes.
 */
final class Bank {

    private static final JsonMapper JSON = JsonMapper.shared();

    private enum Trouble {
        LOSE,
        HOLD
    }

    private final List<Charge> ledger = new ArrayList<>();
    private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

    private Bank() {}

    public static void main(String[] arguments) throws IOException {
        Starter.exitWithParent();
        var bank = new Bank();
        var server = Exchanges.server(0);
        server.createContext("/charges", bank::charges);
        server.createContext("/trouble/lose", exchange -> bank.expect(Trouble.LOSE, exchange));
        server.createContext("/trouble/hold", exchange -> bank.expect(Trouble.HOLD, exchange));
        server.start();
        System.out.println(
                Child.READY + "http://localhost:" + server.getAddress().getPort());
    }

    private void expect(Trouble trouble, HttpExchange exchange) throws IOException {
        troubles.put(Exchanges.order(exchange), trouble);
        Exchanges.answer(exchange, 200, Map.of());
    }

    private void charges(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            Exchanges.answer(exchange, 200, of(Exchanges.order(exchange)));
            return;
        }
        var order = JSON.readValue(exchange.getRequestBody(), Order.class);
        String key = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key"))
                .orElse("");
        var charge = enter(order, key);
        // The money has gone. Only the answer can still go astray.
        var trouble = troubles.remove(order.name());
        if (trouble == null) {
            Exchanges.answer(exchange, 201, charge);
        } else if (trouble == Trouble.LOSE) {
            exchange.close();
        } else {
            never();
        }
    }

    private synchronized List<Charge> of(String order) {
        return ledger.stream()
                .filter(charge -> charge.order().name().equals(order))
                .toList();
    }

    private synchronized Charge enter(Order order, String key) {
        return ledger.stream()
                .filter(charge -> !key.isEmpty() && charge.key().equals(key))
                .findFirst()
                .orElseGet(() -> {
                    var charge = new Charge("ch_" + (ledger.size() + 1), order, key);
                    ledger.add(charge);
                    return charge;
                });
    }

    private static void never() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }
}
