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

/** Endpoints for payments, with the paths and formats of Stripe's API. The merchant is the authenticated account. */
@RestController
@RequestMapping("/v1/payment_intents")
class PaymentsController {

    private static final int MAX_PAGE_SIZE = 100;

    private final PaymentRepository payments;
    private final BankClient bank;

    PaymentsController(PaymentRepository payments, BankClient bank) {
        this.payments = payments;
        this.bank = bank;
    }

    /** Creates a payment. Everything is in our own database: payment, booking, key and response commit together. */
    @PostMapping
    @Idempotent
    @Transactional
    public ResponseEntity<PaymentIntent> create(Principal merchant, @Valid @ModelAttribute CreatePaymentForm order) {
        var payment = payments.create(merchant.getName(), order);
        return ResponseEntity.created(URI.create("/v1/payment_intents/" + payment.id()))
                .body(PaymentIntent.of(payment));
    }

    /**
     * Captures a payment. The bank's charge and our booking cannot commit together. If a crash interrupts a run, the
     * client's retry runs it again: the bank is asked under the same derived key and charges once, and our own steps
     * know how far they got.
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

    /** Lists payments page by page, newest first. */
    @GetMapping
    public PaymentIntentList list(
            Principal merchant,
            @RequestParam(name = "limit", defaultValue = "10") int limit,
            @RequestParam(name = "starting_after", required = false) @Nullable String startingAfter) {
        int size = Math.clamp(limit, 1, MAX_PAGE_SIZE);
        var oneMore = startingAfter == null
                ? payments.newest(merchant.getName(), size + 1)
                : payments.before(payments.get(merchant.getName(), startingAfter), size + 1);
        return PaymentIntentList.of(oneMore, size);
    }
}
