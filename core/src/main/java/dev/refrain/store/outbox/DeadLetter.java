package dev.refrain.store.outbox;

import dev.refrain.api.Payload;
import java.time.Instant;
import java.util.UUID;

/**
 * Message that is no longer sent: a person resends or discards it.
 *
 * @param since when it became a dead letter, by the store's clock
 * @param reason the failure of the last attempt
 */
public record DeadLetter(
        UUID id,
        String topic,
        MessageSettlement.Cause cause,
        String reason,
        int attempts,
        Instant since,
        Payload payload) {}
