package dev.refrain.examples.spring;

import java.util.List;

/** Page of payments in the format of Stripe's API. The id of its last payment is the cursor of the next page. */
record PaymentIntentList(String object, String url, boolean hasMore, List<PaymentIntent> data) {

    /**
     * Creates a page.
     *
     * @param oneMore the payments of the page, and one more if there is a next page
     */
    static PaymentIntentList of(List<Payment> oneMore, int size) {
        return new PaymentIntentList(
                "list",
                "/v1/payment_intents",
                oneMore.size() > size,
                oneMore.stream().limit(size).map(PaymentIntent::of).toList());
    }
}
