package dev.refrain.demo;

import dev.refrain.api.NotSentException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** Client of the shop for the bank's API. */
final class DemoBankClient {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI charges;

    DemoBankClient(URI bank) {
        charges = bank.resolve("/charges");
    }

    /**
     * Charges an order.
     *
     * @throws IOException if it is unknown whether the bank has charged
     */
    BankCharge charge(ShopOrder order, Optional<String> key) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(charges)
                .timeout(OrdersFlow.BANK_TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(order)));
        key.ifPresent(sent -> request.header("Idempotency-Key", sent));
        try {
            var answer = http.send(request.build(), BodyHandlers.ofByteArray());
            if (answer.statusCode() != 201) {
                throw new IOException("The bank responded with status " + answer.statusCode() + ".");
            }
            return JSON.readValue(answer.body(), BankCharge.class);
        } catch (ConnectException notConnected) {
            throw new NotSentException("Cannot connect to the bank.", notConnected);
        }
    }
}
