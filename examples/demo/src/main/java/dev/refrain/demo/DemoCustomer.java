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

/** Sends orders under a key, and asks the shop and the bank what they have of them. Thread-safe. */
final class DemoCustomer {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Longer than the shop takes for anything: without an end a demo that hangs would tell nobody. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ShopResponse pay(URI shop, CheckoutVariant side, ShopOrder order) throws InterruptedException {
        var request = HttpRequest.newBuilder(shop.resolve(side.path()))
                .timeout(PATIENCE)
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

    /** Hangs up when the given moment has come, without reading anything. */
    ShopResponse payAndHangUp(URI shop, CheckoutVariant side, ShopOrder order, HangUpTrigger moment)
            throws IOException, DemoFailedException, InterruptedException {
        try (var socket = new Socket("localhost", shop.getPort())) {
            String body = JSON.writeValueAsString(order);
            String head = "POST " + side.path() + " HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key(order)
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
            socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            moment.await();
        }
        return ShopResponse.NONE;
    }

    /** Something that is waited for. */
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

    KeyHistory story(URI shop, String order) throws IOException, InterruptedException {
        return JSON.readValue(get(shop.resolve(KeyHistoryServlet.PATH + "?order=" + order)), KeyHistory.class);
    }

    /** @param trouble such as {@code lose}: what the bank does with its next answer about this order */
    void injectFault(URI bank, String trouble, String order) throws IOException, InterruptedException {
        http.send(
                HttpRequest.newBuilder(bank.resolve("/trouble/" + trouble + "?order=" + order))
                        .timeout(PATIENCE)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
    }

    private String get(URI address) throws IOException, InterruptedException {
        var answer = http.send(HttpRequest.newBuilder(address).timeout(PATIENCE).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answered " + answer.statusCode() + ".");
        }
        return answer.body();
    }
}
