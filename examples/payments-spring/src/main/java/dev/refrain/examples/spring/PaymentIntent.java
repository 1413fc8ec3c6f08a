package dev.refrain.examples.spring;

import org.jspecify.annotations.Nullable;

/** Payment in the format of Stripe's API. */
record PaymentIntent(
        String id,
        String object,
        long amount,
        long amountCapturable,
        long amountReceived,
        long amountRefunded,
        String currency,
        String status,
        String captureMethod,
        String paymentMethod,
        @Nullable String latestCharge,
        @Nullable String description,
        long created,
        boolean livemode) {

    static PaymentIntent of(Payment payment) {
        return new PaymentIntent(
                payment.id(),
                "payment_intent",
                payment.amount(),
                payment.is(Payment.REQUIRES_CAPTURE) ? payment.amount() : 0,
                payment.is(Payment.SUCCEEDED) ? payment.amount() : 0,
                payment.refunded(),
                payment.currency(),
                // A declined card is not retried; Stripe asks for another payment method.
                payment.is(Payment.DECLINED) ? "requires_payment_method" : payment.status(),
                "manual",
                payment.paymentMethod(),
                payment.charge(),
                payment.description(),
                payment.created() / 1000,
                false);
    }
}
