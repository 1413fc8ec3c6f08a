package dev.refrain.examples.spring;

import org.jspecify.annotations.Nullable;

/**
 * Payment as stored in the database.
 *
 * @param operation the derived key of the operation that captures or captured it
 * @param created milliseconds since 1970
 */
record Payment(
        String id,
        String merchant,
        long amount,
        String currency,
        String paymentMethod,
        @Nullable String description,
        String status,
        @Nullable String operation,
        @Nullable String charge,
        @Nullable String declineCode,
        long refunded,
        long created) {

    static final String REQUIRES_CAPTURE = "requires_capture";
    static final String PROCESSING = "processing";
    static final String SUCCEEDED = "succeeded";
    static final String DECLINED = "declined";

    boolean is(String other) {
        return status.equals(other);
    }
}
