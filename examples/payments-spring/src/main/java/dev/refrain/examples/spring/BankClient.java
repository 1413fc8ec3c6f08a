package dev.refrain.examples.spring;

import dev.refrain.api.CurrentClaim;
import dev.refrain.spring.outgoing.RestClientKeyInterceptor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClient.RequestHeadersSpec.ConvertibleClientHttpResponse;

/**
 * Client of the bank. Refrain adds the operation's derived key to each call. It is the same in every run, so the bank
 * acts once.
 */
@Component
class BankClient {

    /** Calls to the bank. The derived keys depend on these names. */
    enum Step {
        CHARGE("/charges"),
        REFUND("/refunds");

        private final String path;

        Step(String path) {
            this.path = path;
        }
    }

    /** Decision of the bank on a charge or refund. */
    sealed interface BankDecision {}

    record Accepted(String id) implements BankDecision {}

    record Declined(String reason) implements BankDecision {}

    private record Order(String reference, long amount, String currency, String card) {}

    private record Answer(String id, @Nullable String declineCode) {}

    private final RestClient bank;

    BankClient(RestClient.Builder clients, PaymentsApplication.Settings settings) {
        bank = clients.baseUrl(settings.bank()).build();
    }

    /**
     * Returns the derived key of this operation's call to the bank, which also identifies the operation in our own
     * tables.
     */
    static String keyOf(Step step) {
        return CurrentClaim.get()
                .orElseThrow(() -> new IllegalStateException("The bank can be called only inside a protected request."))
                .derivedKey(step.name());
    }

    BankDecision charge(Payment payment) {
        return send(
                Step.CHARGE, new Order(payment.id(), payment.amount(), payment.currency(), payment.paymentMethod()));
    }

    BankDecision refund(Refund refund) {
        return send(
                Step.REFUND, new Order(refund.charge(), refund.amount(), refund.currency(), refund.paymentMethod()));
    }

    /**
     * Sends an order to the bank.
     *
     * @throws BankNoResponseException if there is no usable response; the order may have been carried out
     */
    private BankDecision send(Step step, Order order) {
        try {
            return bank.post()
                    .uri(step.path)
                    .attribute(RestClientKeyInterceptor.STEP, step.name())
                    .body(order)
                    .exchangeForRequiredValue((request, response) -> decisionOf(response));
        } catch (ResourceAccessException e) {
            throw new BankNoResponseException("The bank gave no usable response.", e);
        }
    }

    private static BankDecision decisionOf(ConvertibleClientHttpResponse response) throws IOException {
        int status = response.getStatusCode().value();
        var answer = status == HttpStatus.CREATED.value() || status == HttpStatus.PAYMENT_REQUIRED.value()
                ? response.bodyTo(Answer.class)
                : null;
        if (answer == null) {
            throw new IOException("The bank responded with status " + status + ".");
        }
        return answer.declineCode() == null ? new Accepted(answer.id()) : new Declined(answer.declineCode());
    }
}
