package dev.refrain.store.outbox;

import java.time.Instant;
import java.util.UUID;

/**
 * A dead letter as people see it: everything but what it says.
 *
 * @param reason what went wrong last
 * @param bytes how long it is
 * @param since when it became a dead letter, by the store's clock
 * @param seen when it was looked at, by the same clock
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
