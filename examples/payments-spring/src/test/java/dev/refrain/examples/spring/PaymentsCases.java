package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.PaymentsAndBankProcesses.as;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.capture;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.create;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.form;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.json;
import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Cases about creating, capturing, refunding and listing payments. */
interface PaymentsCases {

    /** Number of parallel copies of a request. */
    int TWINS = 20;

    PaymentsAndBankProcesses processes();

    private long available() throws Exception {
        return processes()
                .get("sk_test_alice", "/v1/balance")
                .at("/available/0/amount")
                .asLong(0);
    }

    @Test
    default void paymentIsCreatedCapturedAndRefunded() throws Exception {
        long before = available();
        String id = processes().newPayment(1299, "pm_card_visa");
        assertThat(processes()
                        .get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("status")
                        .asString())
                .isEqualTo("requires_capture");
        assertThat(available()).isEqualTo(before);

        var captured = json(processes().send(capture(id)));
        assertThat(captured.get("status").asString()).isEqualTo("succeeded");
        assertThat(captured.get("amount_received").asLong()).isEqualTo(1299);
        assertThat(available()).isEqualTo(before + 1299);

        var part = processes().send(form("/v1/refunds", "payment_intent=" + id + "&amount=299"));
        assertThat(part.status()).as(part.body()).isEqualTo(201);
        var rest = json(processes().send(form("/v1/refunds", "payment_intent=" + id)));
        assertThat(rest.get("amount").asLong()).isEqualTo(1000);
        assertThat(processes().send(form("/v1/refunds", "payment_intent=" + id)).status())
                .isEqualTo(400);
        assertThat(available()).isEqualTo(before);
        assertThat(processes().orders(captured.get("latest_charge").asString())).hasSize(2);
    }

    @Test
    default void repeatedRequestGetsTheSameResponseAndTakesEffectOnce() throws Exception {
        var create = create(500, "pm_card_visa");
        String id = json(agreed(create)).get("id").asString();
        agreed(capture(id));
        String refund = json(agreed(form("/v1/refunds", "payment_intent=" + id + "&amount=200")))
                .get("charge")
                .asString();

        assertThat(processes().orders(id)).hasSize(1);
        assertThat(processes().orders(refund)).hasSize(1);
        assertThat(processes().number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isEqualTo(4);
        assertThat(processes()
                        .get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("amount_refunded")
                        .asLong())
                .isEqualTo(200);
    }

    /** Sends parallel copies of a request and returns their final response. */
    private RawHttpResponse agreed(RawHttpRequest request) throws Exception {
        var answers = new ArrayList<Future<RawHttpResponse>>();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < TWINS; i++) {
                answers.add(clients.submit(() -> processes().sendUntilFinal(request)));
            }
        }
        var bodies = new HashSet<String>();
        int first = 0;
        for (var answer : answers) {
            bodies.add(answer.get().body());
            first += answer.get().replayed() ? 0 : 1;
        }
        assertThat(bodies).hasSize(1);
        assertThat(first).as("answers that are not replays").isEqualTo(1);
        return answers.getFirst().get();
    }

    @Test
    default void twoKeysNeitherCaptureTwiceNorRefundTooMuch() throws Exception {
        String id = processes().newPayment(600, "pm_card_visa");
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var captures = new ArrayList<Future<RawHttpResponse>>();
            for (int i = 0; i < 5; i++) {
                captures.add(clients.submit(() -> processes().sendUntilFinal(capture(id))));
            }
            int done = 0;
            for (var one : captures) {
                assertThat(one.get().status()).isIn(200, 400);
                done += one.get().status() == 200 ? 1 : 0;
            }
            assertThat(done).isEqualTo(1);
            assertThat(processes().orders(id)).hasSize(1);

            var refunds = new ArrayList<Future<RawHttpResponse>>();
            for (int i = 0; i < 5; i++) {
                refunds.add(clients.submit(
                        () -> processes().sendUntilFinal(form("/v1/refunds", "payment_intent=" + id + "&amount=400"))));
            }
            int refunded = 0;
            for (var one : refunds) {
                assertThat(one.get().status()).isIn(201, 400);
                refunded += one.get().status() == 201 ? 1 : 0;
            }
            assertThat(refunded).isEqualTo(1);
        }
    }

    @Test
    default void invalidRequestIsReportedAndConsumesNoKey() throws Exception {
        var wrong = form("/v1/payment_intents", "amount=-1&currency=eur&payment_method=pm_card_visa");
        var refused = processes().send(wrong);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(json(refused).at("/error/param").asString()).isEqualTo("amount");
        assertThat(json(refused).at("/error/message").asString()).isEqualTo("amount must be greater than 0");
        assertThat(processes()
                        .send(PaymentsAndBankProcesses.withBody(
                                wrong, "amount=x&currency=eur&payment_method=pm_card_visa"))
                        .body())
                .contains("amount is not a number: x");
        assertThat(processes()
                        .send(PaymentsAndBankProcesses.withBody(wrong, "amount=1&currency=eur"))
                        .body())
                .contains("payment_method must not be blank");

        assertThat(processes()
                        .send(PaymentsAndBankProcesses.withBody(
                                wrong, "amount=1&currency=eur&payment_method=pm_card_visa"))
                        .status())
                .isEqualTo(201);
        assertThat(processes()
                        .send(form("/v1/payment_intents/pi_none/capture", "amount_to_capture=5"))
                        .body())
                .contains("captured in full");
        assertThat(processes().send(capture("pi_none")).status()).isEqualTo(404);
    }

    @Test
    default void paymentsAreListedPageByPage() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            var created = processes()
                    .send(as("sk_test_bob", create(100 + i, "pm_card_visa").without("Authorization")));
            ids.addFirst(json(created).get("id").asString());
        }
        var first = processes().get("sk_test_bob", "/v1/payment_intents?limit=2");
        assertThat(first.get("has_more").asBoolean()).isTrue();
        assertThat(first.at("/data/0/id").asString()).isIn(ids);
        var next = processes()
                .get(
                        "sk_test_bob",
                        "/v1/payment_intents?limit=2&starting_after="
                                + first.at("/data/1/id").asString());
        assertThat(next.get("has_more").asBoolean()).isFalse();
        var seen = new HashSet<String>();
        for (var page : List.of(first, next)) {
            page.get("data").forEach(payment -> seen.add(payment.get("id").asString()));
        }
        assertThat(seen).containsAll(ids);
        assertThat(processes()
                        .send(as(
                                "sk_test_alice",
                                post("/v1/payment_intents?starting_after=" + ids.getFirst())
                                        .by("GET")))
                        .status())
                .as("another merchant's cursor")
                .isEqualTo(404);
    }
}
