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
 * Bank with its own ledger. {@code POST /charges} charges once per {@code Idempotency-Key}, or every time if there is
 * none. {@code GET /charges?order=NAME} shows the ledger. {@code POST /trouble/lose?order=NAME} and {@code
 * /trouble/hold} make the next response for that order get lost or never arrive, although the charge is made.
 */
final class DemoBank {

    private static final JsonMapper JSON = JsonMapper.shared();

    private enum BankFault {
        LOSE,
        HOLD
    }

    private final List<BankCharge> ledger = new ArrayList<>();
    private final Map<String, BankFault> faults = new ConcurrentHashMap<>();

    private DemoBank() {}

    public static void main(String[] arguments) throws IOException {
        DemoParentWatchdog.exitWithParent();
        var bank = new DemoBank();
        var server = DemoHttpSupport.server(0);
        server.createContext("/charges", bank::charges);
        server.createContext("/trouble/lose", exchange -> bank.expect(BankFault.LOSE, exchange));
        server.createContext("/trouble/hold", exchange -> bank.expect(BankFault.HOLD, exchange));
        server.start();
        System.out.println(
                DemoProcess.READY + "http://localhost:" + server.getAddress().getPort());
    }

    private void expect(BankFault fault, HttpExchange exchange) throws IOException {
        faults.put(DemoHttpSupport.order(exchange), fault);
        DemoHttpSupport.answer(exchange, 200, Map.of());
    }

    private void charges(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            DemoHttpSupport.answer(exchange, 200, of(DemoHttpSupport.order(exchange)));
            return;
        }
        var order = JSON.readValue(exchange.getRequestBody(), ShopOrder.class);
        String key = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key"))
                .orElse("");
        var charge = recordCharge(order, key);
        // The charge is made. From here on only the response can fail.
        var fault = faults.remove(order.name());
        if (fault == null) {
            DemoHttpSupport.answer(exchange, 201, charge);
        } else if (fault == BankFault.LOSE) {
            exchange.close();
        } else {
            waitForever();
        }
    }

    private synchronized List<BankCharge> of(String order) {
        return ledger.stream()
                .filter(charge -> charge.order().name().equals(order))
                .toList();
    }

    private synchronized BankCharge recordCharge(ShopOrder order, String key) {
        return ledger.stream()
                .filter(charge -> !key.isEmpty() && charge.key().equals(key))
                .findFirst()
                .orElseGet(() -> {
                    var charge = new BankCharge("ch_" + (ledger.size() + 1), order, key);
                    ledger.add(charge);
                    return charge;
                });
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }
}
