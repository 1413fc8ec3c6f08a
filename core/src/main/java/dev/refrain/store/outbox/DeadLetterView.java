package dev.refrain.store.outbox;

import java.time.Instant;
import java.util.UUID;

/**
 * Dead letter as people see it: everything except its body. Immutable.
 *
 * @param reason the failure of the last attempt
 * @param bytes the size of its body
 * @param since when it became a dead letter, by the store's clock
 * @param seen when it was read, by the same clock
 */
public record DeadLetterView(
        UUID id,
        String topic,
        MessageSettlement.Cause cause,
        String reason,
        int attempts,
        long bytes,
        Instant staged,
        Instant since,
        Instant seen) {}
