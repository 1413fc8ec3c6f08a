package dev.refrain.store.outbox;

import dev.refrain.api.Payload;
import java.time.Instant;
import java.util.UUID;

/**
 * A message that is not sent any more.
 *
 * @param since when it was given up, by the store's clock
 * @param reason what went wrong last
 */
public record DeadLetter(
        UUID id,
        String topic,
        MessageSettlement.Cause cause,
        String reason,
        int attempts,
        Instant since,
        Payload payload) {}
