package dev.refrain.examples.spring;

import org.jspecify.annotations.Nullable;

/** Refund as stored in the database, with the fields it needs from its payment. */
record Refund(
        String id,
        String payment,
        String merchant,
        String charge,
        String paymentMethod,
        long amount,
        String currency,
        String status,
        @Nullable String declineCode,
        long created) {

    static final String PENDING = "pending";
    static final String FAILED = "failed";

    boolean is(String other) {
        return status.equals(other);
    }
}
