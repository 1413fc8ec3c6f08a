package dev.refrain.examples.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.examples.spring.process.ExampleChildProcess;
import dev.refrain.examples.spring.provider.FakeBank;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API and its bank as processes, on one database. */
final class PaymentsAndBankProcesses implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final String url;
    private final ExampleChildProcess bank;
    private ExampleChildProcess api;

    private PaymentsAndBankProcesses(String url, ExampleChildProcess bank) throws IOException {
        this.url = url;
        this.bank = bank;
        openApi();
    }

    static PaymentsAndBankProcesses on(String url, Path folder) throws IOException {
        return new PaymentsAndBankProcesses(
                url,
                ExampleChildProcess.start(
                        FakeBank.class, "0", folder.resolve("bank.jsonl").toString()));
    }

    /** Short leases, so that a killed process frees its keys in seconds; a long timeout for the bank. */
    void openApi() throws IOException {
        api = ExampleChildProcess.start(
                PaymentsApplication.class,
                "--server.port=0",
                "--spring.datasource.url=" + url,
                "--payments.bank=" + bank.address(),
                "--spring.http.clients.read-timeout=60s",
                "--refrain.http.lease=4s");
    }

    /** Kills the API with SIGKILL. */
    void killApi() {
        api.close();
    }

    int port() {
        return URI.create(api.address()).getPort();
    }

    static RawHttpRequest as(String apiKey, RawHttpRequest request) {
        return request.line("Authorization: Bearer " + apiKey);
    }

    /** Creates a request of Alice under a new key. */
    static RawHttpRequest form(String path, String form) {
        return as("sk_test_alice", post(path))
                .key(UUID.randomUUID().toString())
                .body("application/x-www-form-urlencoded", form);
    }

    static RawHttpRequest withBody(RawHttpRequest request, String form) {
        return request.without("Content-Type").body("application/x-www-form-urlencoded", form);
    }

    static RawHttpRequest create(long amount, String card) {
        return form("/v1/payment_intents", "amount=" + amount + "&currency=eur&payment_method=" + card);
    }

    static RawHttpRequest capture(String payment) {
        return form("/v1/payment_intents/" + payment + "/capture", "");
    }

    RawHttpResponse send(RawHttpRequest request) throws IOException {
        return send(port(), request);
    }

    JsonNode get(String apiKey, String path) throws IOException {
        var answer = send(as(apiKey, post(path).by("GET")));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    /** Retries like a client until the response is final. */
    RawHttpResponse sendUntilFinal(RawHttpRequest request) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> send(request), answer -> answer.status() != 409 && answer.status() < 500);
    }

    /** Creates a payment of Alice and returns its id. */
    String newPayment(long amount, String card) throws IOException {
        var created = send(create(amount, card));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        return json(created).get("id").asString();
    }

    /** Creates and captures a payment of Alice and returns its id. */
    String newCapture(long amount) throws IOException {
        String payment = newPayment(amount, "pm_card_visa");
        assertThat(send(capture(payment)).status()).isEqualTo(200);
        return payment;
    }

    /** @param setting for example {@code lose=1&slow=3s}; empty for none */
    void injectFault(String setting) throws IOException {
        assertThat(send(bankPort(), post("/trouble?" + setting)).status()).isEqualTo(200);
    }

    /** Orders in the bank's ledger with this reference: a payment for charges, a charge for refunds. */
    List<JsonNode> orders(String reference) throws IOException {
        return orders().filter(entry -> entry.at("/order/reference").asString().equals(reference))
                .toList();
    }

    /** Amount charged and not refunded, according to the bank's ledger. */
    long heldByBank() throws IOException {
        return orders().filter(entry -> entry.get("declined").asString().isEmpty())
                .mapToLong(entry -> (entry.get("kind").asString().equals("CHARGE") ? 1 : -1)
                        * entry.at("/order/amount").asLong())
                .sum();
    }

    private Stream<JsonNode> orders() throws IOException {
        return json(send(bankPort(), post("/ledger").by("GET"))).valueStream();
    }

    private int bankPort() {
        return URI.create(bank.address()).getPort();
    }

    private static RawHttpResponse send(int port, RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(port)) {
            wire.send(request);
            return wire.receive();
        }
    }

    static JsonNode json(RawHttpResponse answer) {
        return JSON.readTree(answer.body());
    }

    /** Queries a number from the API's database. */
    long number(String sql) throws Exception {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        api.close();
        bank.close();
    }
}
