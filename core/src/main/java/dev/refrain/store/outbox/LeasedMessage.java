package dev.refrain.store.outbox;

import dev.refrain.api.Payload;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * Message that a relay has leased for delivery. Immutable.
 *
 * @param attempts number of attempts, including this one, without those in which nothing was sent
 * @param unresolvedAttempts number of attempts with an unknown result, including this one: if more than one, it may have been
 *     delivered
 * @param unresolvedSince how long ago the first of those began
 * @param age how long ago it was staged
 * @param labels as it was staged with
 */
public record LeasedMessage(
        OutboxRowRef row,
        UUID id,
        String topic,
        OptionalInt lane,
        Optional<String> orderKey,
        Payload payload,
        int attempts,
        int unresolvedAttempts,
        Duration unresolvedSince,
        Duration age,
        MessageLabels labels) {

    public boolean mayHaveArrived() {
        return unresolvedAttempts > 1;
    }
}
