package dev.refrain.demo;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Customer that sends orders under a key, and reads the results at the shop and the bank. Thread-safe. */
final class DemoCustomer {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Longer than any request to the shop takes, so that a hanging demo fails visibly. */
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ShopResponse pay(URI shop, CheckoutVariant variant, ShopOrder order) throws InterruptedException {
        var request = HttpRequest.newBuilder(shop.resolve(variant.path()))
                .timeout(TIMEOUT)
                .header("Idempotency-Key", key(order))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(order)))
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            return new ShopResponse(answer.statusCode(), answer.body());
        } catch (IOException lost) {
            return ShopResponse.NONE;
        }
    }

    /** Sends an order and disconnects at the given moment, without reading the response. */
    ShopResponse payAndHangUp(URI shop, CheckoutVariant variant, ShopOrder order, HangUpTrigger moment)
            throws IOException, DemoFailedException, InterruptedException {
        try (var socket = new Socket("localhost", shop.getPort())) {
            String body = JSON.writeValueAsString(order);
            String head = "POST " + variant.path() + " HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key(order)
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
            socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            moment.await();
        }
        return ShopResponse.NONE;
    }

    /** Condition to wait for before disconnecting. */
    interface HangUpTrigger {
        void await() throws IOException, DemoFailedException, InterruptedException;
    }

    private static String key(ShopOrder order) {
        return "\"" + order.name() + "\"";
    }

    List<BankCharge> charges(URI bank, String order) throws IOException, InterruptedException {
        return List.of(JSON.readValue(get(bank.resolve("/charges?order=" + order)), BankCharge[].class));
    }

    int receipts(URI shop, String order) throws IOException, InterruptedException {
        return Integer.parseInt(get(shop.resolve(CheckoutVariant.UNPROTECTED.path() + "?order=" + order)));
    }

    KeyHistory keyHistory(URI shop, String order) throws IOException, InterruptedException {
        return JSON.readValue(get(shop.resolve(KeyHistoryServlet.PATH + "?order=" + order)), KeyHistory.class);
    }

    /**
     * Makes the bank's next response for an order fail.
     *
     * @param trouble the kind of fault, for example {@code lose}
     */
    void injectFault(URI bank, String trouble, String order) throws IOException, InterruptedException {
        http.send(
                HttpRequest.newBuilder(bank.resolve("/trouble/" + trouble + "?order=" + order))
                        .timeout(TIMEOUT)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
    }

    private String get(URI address) throws IOException, InterruptedException {
        var answer = http.send(HttpRequest.newBuilder(address).timeout(TIMEOUT).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " responded with status " + answer.statusCode() + ".");
        }
        return answer.body();
    }
}
