package dev.refrain.examples.spring;

import static dev.refrain.spring.Idempotent.Mode.LEASED_RESUME;

import dev.refrain.spring.Idempotent;
import jakarta.validation.Valid;
import java.net.URI;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Payments, under the names and in the shapes that Stripe's clients know. A merchant is whoever is authenticated. */
@RestController
@RequestMapping("/v1/payment_intents")
class PaymentsController {

    private static final int LARGEST_PAGE = 100;

    private final PaymentRepository payments;
    private final BankClient bank;

    PaymentsController(PaymentRepository payments, BankClient bank) {
        this.payments = payments;
        this.bank = bank;
    }

    /** All of it is in our own database: the payment, its booking, the key and this answer are one commit. */
    @PostMapping
    @Idempotent
    @Transactional
    public ResponseEntity<PaymentIntent> create(Principal merchant, @Valid @ModelAttribute CreatePaymentForm order) {
        var payment = payments.create(merchant.getName(), order);
        return ResponseEntity.created(URI.create("/v1/payment_intents/" + payment.id()))
                .body(PaymentIntent.of(payment));
    }

    /**
     * The bank is elsewhere, so nothing can make its charge and our booking one commit. A run that a crash interrupts is run again by
     * the client's retry: the bank is asked under the same derived key and charges once, and our own steps know how far they came.
     */
    @PostMapping("/{id}/capture")
    @Idempotent(mode = LEASED_RESUME)
    public PaymentIntent capture(
            Principal merchant, @PathVariable("id") String id, @Valid @ModelAttribute CapturePaymentForm order) {
        var payment = payments.beginCapture(merchant.getName(), id, BankClient.keyOf(BankClient.Step.CHARGE));
        if (payment.is(Payment.PROCESSING)) {
            payment = payments.settle(payment, bank.charge(payment));
        }
        if (payment.declineCode() != null) {
            throw ApiException.declined(payment.declineCode());
        }
        return PaymentIntent.of(payment);
    }

    @GetMapping("/{id}")
    public PaymentIntent get(Principal merchant, @PathVariable("id") String id) {
        return PaymentIntent.of(payments.get(merchant.getName(), id));
    }

    /** The newest first, a page at a time. */
    @GetMapping
    public PaymentIntentList list(
            Principal merchant,
            @RequestParam(name = "limit", defaultValue = "10") int limit,
            @RequestParam(name = "starting_after", required = false) @Nullable String startingAfter) {
        int size = Math.clamp(limit, 1, LARGEST_PAGE);
        var oneMore = startingAfter == null
                ? payments.newest(merchant.getName(), size + 1)
                : payments.before(payments.get(merchant.getName(), startingAfter), size + 1);
        return PaymentIntentList.of(oneMore, size);
    }
}
