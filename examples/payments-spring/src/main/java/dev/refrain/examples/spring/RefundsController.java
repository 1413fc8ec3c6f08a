package dev.refrain.examples.spring;

import static dev.refrain.spring.Idempotent.Mode.LEASED_RESUME;

import dev.refrain.spring.Idempotent;
import jakarta.validation.Valid;
import java.security.Principal;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint for refunds, partial or full, in the format of Stripe's API. */
@RestController
class RefundsController {

    /** Refund in the format of Stripe's API. */
    record RefundResponse(
            String id,
            String object,
            long amount,
            String currency,
            String charge,
            String paymentIntent,
            String status,
            long created) {}

    private final RefundRepository refunds;
    private final BankClient bank;

    RefundsController(RefundRepository refunds, BankClient bank) {
        this.refunds = refunds;
        this.bank = bank;
    }

    /** Refunds a payment. As with a capture, a second run asks the bank under the same derived key. */
    @PostMapping("/v1/refunds")
    @ResponseStatus(HttpStatus.CREATED)
    @Idempotent(mode = LEASED_RESUME)
    public RefundResponse create(Principal merchant, @Valid @ModelAttribute CreateRefundForm order) {
        var refund = refunds.begin(
                merchant.getName(), order.paymentIntent(), order.amount(), BankClient.keyOf(BankClient.Step.REFUND));
        if (refund.is(Refund.PENDING)) {
            refund = refunds.settle(refund, bank.refund(refund));
        }
        if (refund.declineCode() != null) {
            throw ApiException.declined(refund.declineCode());
        }
        return new RefundResponse(
                refund.id(),
                "refund",
                refund.amount(),
                refund.currency(),
                refund.charge(),
                refund.payment(),
                refund.status(),
                refund.created() / 1000);
    }
}
