package dev.refrain.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.StripeClient;
import com.stripe.exception.AuthenticationException;
import com.stripe.exception.CardException;
import com.stripe.exception.StripeException;
import com.stripe.model.Balance;
import com.stripe.model.PaymentIntent;
import com.stripe.net.RequestOptions;
import com.stripe.net.StripeResponse;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.PaymentIntentListParams;
import com.stripe.param.RefundCreateParams;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Stripe's own client, with its own keys and its own retries, over a line that loses answers. */
interface StripeClientCases {

    PaymentsAndBankProcesses processes();

    private static StripeClient client(String apiKey, int port) {
        return client(apiKey, port, 60_000);
    }

    private static StripeClient client(String apiKey, int port, int readTimeoutMillis) {
        return StripeClient.builder()
                .setApiKey(apiKey)
                .setApiBase("http://127.0.0.1:" + port)
                .setMaxNetworkRetries(6)
                .setReadTimeout(readTimeoutMillis)
                .build();
    }

    private StripeClient direct() {
        return client("sk_test_alice", processes().port());
    }

    private static StripeClient over(ReplyLosingProxy line) {
        return client("sk_test_alice", line.port(), 1_500);
    }

    private long available() throws StripeException {
        return direct().v1().balance().retrieve().getAvailable().stream()
                .mapToLong(Balance.Available::getAmount)
                .sum();
    }

    private static PaymentIntentCreateParams order(String card) {
        return PaymentIntentCreateParams.builder()
                .setAmount(1299L)
                .setCurrency("eur")
                .setPaymentMethod(card)
                .setCaptureMethod(PaymentIntentCreateParams.CaptureMethod.MANUAL)
                .setConfirm(true)
                .build();
    }

    private static void isReplay(StripeResponse response) {
        assertThat(response.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    }

    @Test
    default void retriesAfterLostAnswersMakeOnePaymentOneChargeAndOneRefund() throws Exception {
        long before = available();
        PaymentIntent created;
        try (var line = new ReplyLosingProxy(processes().port(), 2)) {
            created = over(line).v1().paymentIntents().create(order("pm_card_visa"));
            assertThat(created.getId()).startsWith("pi_");
            assertThat(created.getStatus()).isEqualTo("requires_capture");
            isReplay(created.getLastResponse());
        }
        try (var line = new ReplyLosingProxy(processes().port(), 1)) {
            // The bank's answer is lost, and then ours.
            processes().injectFault("lose=1");
            var captured = over(line).v1().paymentIntents().capture(created.getId());
            assertThat(captured.getStatus()).isEqualTo("succeeded");
            assertThat(captured.getAmountReceived()).isEqualTo(1299);
        }
        try (var line = new ReplyLosingProxy(processes().port(), 1)) {
            var refund = over(line)
                    .v1()
                    .refunds()
                    .create(RefundCreateParams.builder()
                            .setPaymentIntent(created.getId())
                            .setAmount(299L)
                            .build());
            assertThat(refund.getStatus()).isEqualTo("succeeded");
            isReplay(refund.getLastResponse());
        }

        var charges = processes().orders(created.getId());
        assertThat(charges).hasSize(1);
        assertThat(processes().orders(charges.getFirst().get("id").asString())).hasSize(1);
        assertThat(available()).isEqualTo(before + 1000);
        assertThat(direct().v1()
                        .paymentIntents()
                        .list(PaymentIntentListParams.builder().setLimit(1L).build())
                        .getData())
                .hasSize(1);
    }

    @Test
    default void declinedCardIsItsOwnExceptionAgainAndAgain() throws Exception {
        var payment = direct().v1().paymentIntents().create(order("pm_card_chargeDeclined"));
        var options = underOneKey();

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> direct().v1().paymentIntents().capture(payment.getId(), options))
                    .isInstanceOfSatisfying(
                            CardException.class,
                            e -> assertThat(e.getDeclineCode()).isEqualTo("insufficient_funds"));
        }
        assertThat(processes().orders(payment.getId())).hasSize(1);
    }

    @Test
    default void keyThatIsUsedForAnotherRequestIsItsErrorToo() throws Exception {
        var options = underOneKey();
        var first = direct().v1().paymentIntents().create(order("pm_card_visa"), options);

        assertThat(direct().v1()
                        .paymentIntents()
                        .create(order("pm_card_visa"), options)
                        .getId())
                .isEqualTo(first.getId());
        assertThatThrownBy(() -> direct().v1().paymentIntents().create(order("pm_card_mastercard"), options))
                .isInstanceOfSatisfying(
                        StripeException.class,
                        e -> assertThat(e.getStatusCode()).isEqualTo(422));
        assertThat(processes().number("SELECT count(*) FROM payment WHERE payment_method = 'pm_card_mastercard'"))
                .isZero();
    }

    @Test
    default void unknownApiKeyIsItsOwnException() {
        assertThatThrownBy(() -> client("sk_test_mallory", processes().port())
                        .v1()
                        .balance()
                        .retrieve())
                .isInstanceOf(AuthenticationException.class);
    }

    private static RequestOptions underOneKey() {
        return RequestOptions.builder()
                .setIdempotencyKey(UUID.randomUUID().toString())
                .build();
    }
}
