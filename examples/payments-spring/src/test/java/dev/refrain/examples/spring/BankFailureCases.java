package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.PaymentsAndBankProcesses.capture;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.form;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Cases about failures between the API and its bank. */
interface BankFailureCases {

    PaymentsAndBankProcesses processes();

    @Test
    default void lostBankResponseIsRetriedUnderTheSameKey() throws Exception {
        String id = processes().newPayment(700, "pm_card_visa");
        var capture = capture(id);
        processes().injectFault("lose=1");

        assertThat(processes().send(capture).status()).isEqualTo(502);
        assertThat(processes().orders(id)).hasSize(1);
        assertThat(processes()
                        .get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("status")
                        .asString())
                .isEqualTo("processing");
        // A different key is a different operation, which must not charge the same payment.
        assertThat(processes().send(capture(id)).status()).isEqualTo(409);

        var retried = processes().send(capture);
        assertThat(retried.status()).isEqualTo(200);
        assertThat(processes().orders(id)).hasSize(1);
        assertThat(processes().send(capture).body()).isEqualTo(retried.body());

        var refund = form("/v1/refunds", "payment_intent=" + id + "&amount=100");
        processes().injectFault("lose=1");
        assertThat(processes().send(refund).status()).isEqualTo(502);
        assertThat(processes().send(refund).status()).isEqualTo(201);
        assertThat(processes().orders(json(retried).get("latest_charge").asString()))
                .hasSize(1);
        assertThat(processes()
                        .get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("amount_refunded")
                        .asLong())
                .isEqualTo(100);
    }

    @Test
    default void killBetweenChargeAndBookingChargesAndBooksOnce() throws Exception {
        String id = processes().newPayment(900, "pm_card_visa");
        var capture = capture(id);
        processes().injectFault("slow=60s");
        var waiting = CompletableFuture.runAsync(() -> {
            try {
                processes().send(capture);
            } catch (Exception gone) {
                // The process is killed during the request.
            }
        });
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> processes().orders(id).size() == 1);
        processes().killApi();
        waiting.join();
        assertThat(processes().number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isZero();
        processes().injectFault("");
        processes().openApi();

        var answer = processes().sendUntilFinal(capture);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(processes().sendUntilFinal(capture).body()).isEqualTo(answer.body());
        assertThat(processes().orders(id)).hasSize(1);
        assertThat(processes().number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isEqualTo(4);
    }

    @Test
    default void declinedCardIsReplayed() throws Exception {
        String id = processes().newPayment(800, "pm_card_chargeDeclined");
        var capture = capture(id);

        var declined = processes().send(capture);
        assertThat(declined.status()).isEqualTo(402);
        assertThat(json(declined).at("/error/decline_code").asString()).isEqualTo("insufficient_funds");
        var again = processes().send(capture);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(declined.body());
        assertThat(processes().send(capture(id)).status()).isEqualTo(400);
        assertThat(processes().orders(id)).hasSize(1);
        assertThat(processes()
                        .number("SELECT sum(amount) FROM ledger_entry WHERE account = 'pending' AND booking LIKE '%"
                                + id + "'"))
                .isZero();
    }
}
