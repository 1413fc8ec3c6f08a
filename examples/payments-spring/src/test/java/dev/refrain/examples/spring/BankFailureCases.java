package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.PaymentsAndBankProcesses.capture;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.form;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What goes wrong between the API and its bank. */
interface BankFailureCases {

    PaymentsAndBankProcesses town();

    @Test
    default void anAnswerThatTheBankLosesIsAskedForAgainUnderTheSameKey() throws Exception {
        String id = town().newPayment(700, "pm_card_visa");
        var capture = capture(id);
        town().trouble("lose=1");

        assertThat(town().send(capture).status()).isEqualTo(502);
        assertThat(town().orders(id)).hasSize(1);
        assertThat(town().get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("status")
                        .asString())
                .isEqualTo("processing");
        // Another key is another operation: it must not ask the bank for the same money.
        assertThat(town().send(capture(id)).status()).isEqualTo(409);

        var retried = town().send(capture);
        assertThat(retried.status()).isEqualTo(200);
        assertThat(town().orders(id)).hasSize(1);
        assertThat(town().send(capture).body()).isEqualTo(retried.body());

        var refund = form("/v1/refunds", "payment_intent=" + id + "&amount=100");
        town().trouble("lose=1");
        assertThat(town().send(refund).status()).isEqualTo(502);
        assertThat(town().send(refund).status()).isEqualTo(201);
        assertThat(town().orders(json(retried).get("latest_charge").asString())).hasSize(1);
        assertThat(town().get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("amount_refunded")
                        .asLong())
                .isEqualTo(100);
    }

    @Test
    default void killedBetweenTheBanksChargeAndItsOwnBookingItChargesAndBooksOnce() throws Exception {
        String id = town().newPayment(900, "pm_card_visa");
        var capture = capture(id);
        town().trouble("slow=PT60S");
        var waiting = CompletableFuture.runAsync(() -> {
            try {
                town().send(capture);
            } catch (Exception gone) {
                // It is killed under us.
            }
        });
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> town().orders(id).size() == 1);
        town().killApi();
        waiting.join();
        assertThat(town().number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isZero();
        town().trouble("");
        town().openApi();

        var answer = town().insist(capture);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(town().insist(capture).body()).isEqualTo(answer.body());
        assertThat(town().orders(id)).hasSize(1);
        assertThat(town().number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isEqualTo(4);
    }

    @Test
    default void aDeclinedCardIsAnOutcomeThatIsKept() throws Exception {
        String id = town().newPayment(800, "pm_card_chargeDeclined");
        var capture = capture(id);

        var declined = town().send(capture);
        assertThat(declined.status()).isEqualTo(402);
        assertThat(json(declined).at("/error/decline_code").asString()).isEqualTo("insufficient_funds");
        var again = town().send(capture);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(declined.body());
        assertThat(town().send(capture(id)).status()).isEqualTo(400);
        assertThat(town().orders(id)).hasSize(1);
        assertThat(town().number("SELECT sum(amount) FROM ledger_entry WHERE account = 'pending' AND booking LIKE '%"
                        + id + "'"))
                .isZero();
    }
}
