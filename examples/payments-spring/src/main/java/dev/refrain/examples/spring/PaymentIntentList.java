package dev.refrain.examples.spring;

import java.util.List;

/** A page of payments, as Stripe shows one. The id of its last payment is the cursor of the next page. */
record PaymentIntentList(String object, String url, boolean hasMore, List<PaymentIntent> data) {

    /** @param oneMore one payment more than the page shows, if there is one */
    static PaymentIntentList of(List<Payment> oneMore, int size) {
        return new PaymentIntentList(
                "list",
                "/v1/payment_intents",
                oneMore.size() > size,
                oneMore.stream().limit(size).map(PaymentIntent::of).toList());
    }
}
