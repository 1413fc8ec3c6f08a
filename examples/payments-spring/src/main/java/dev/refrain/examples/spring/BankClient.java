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

/** Calls to the bank. Refrain puts the operation's derived key on each: the same in every run, so the bank acts once. */
@Component
class BankClient {

    /** The calls there are. Their names are what their keys are derived from. */
    enum Step {
        CHARGE("/charges"),
        REFUND("/refunds");

        private final String path;

        Step(String path) {
            this.path = path;
        }
    }

    /** What became of an order. */
    sealed interface BankDecision {}

    record Accepted(String id) implements BankDecision {}

    record Declined(String reason) implements BankDecision {}

    private record Order(String reference, long amount, String currency, String card) {}

    private record Answer(String id, @Nullable String declineCode) {}

    private final RestClient bank;

    BankClient(RestClient.Builder clients, PaymentsApplication.Settings settings) {
        bank = clients.baseUrl(settings.bank()).build();
    }

    /** The derived key of this operation's call to the bank. It names the operation in our own tables, too. */
    static String keyOf(Step step) {
        return CurrentClaim.get()
                .orElseThrow(() -> new IllegalStateException("The bank is asked only inside of a protected request."))
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

    /** @throws BankUnansweredException if no verdict came: it may have been carried out all the same */
    private BankDecision send(Step step, Order order) {
        try {
            return bank.post()
                    .uri(step.path)
                    .attribute(RestClientKeyInterceptor.STEP, step.name())
                    .body(order)
                    .exchangeForRequiredValue((request, response) -> verdict(response));
        } catch (ResourceAccessException e) {
            throw new BankUnansweredException("The bank gave no answer that can be used.", e);
        }
    }

    private static BankDecision verdict(ConvertibleClientHttpResponse response) throws IOException {
        int status = response.getStatusCode().value();
        var answer = status == HttpStatus.CREATED.value() || status == HttpStatus.PAYMENT_REQUIRED.value()
                ? response.bodyTo(Answer.class)
                : null;
        if (answer == null) {
            throw new IOException("The bank answered " + status + ".");
        }
        return answer.declineCode() == null ? new Accepted(answer.id()) : new Declined(answer.declineCode());
    }
}
