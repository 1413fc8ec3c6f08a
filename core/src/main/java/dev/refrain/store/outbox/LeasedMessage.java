package dev.refrain.store.outbox;

import dev.refrain.api.Payload;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * A message that is to be delivered.
 *
 * @param attempts how often it was taken, this time included, and not counting when nothing was sent
 * @param unresolvedAttempts how many attempts have an end that is not known, this one included: if it is more than one, it may have arrived
 * @param unresolvedSince how long ago the first of those began
 * @param age how long ago it was staged
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
        Duration age) {

    public boolean mayHaveArrived() {
        return unresolvedAttempts > 1;
    }
}
