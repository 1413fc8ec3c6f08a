package dev.refrain.store.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message that waits to be delivered, as people see it: everything but what it says.
 *
 * @param orderKey behind whose messages it waits, if it does
 * @param attempts how often it was taken, not counting when nothing was sent
 * @param reason what went wrong last, if it failed before
 * @param bytes how long it is
 */
public record WaitingMessage(
        long sequence,
        UUID id,
        String topic,
        Optional<String> orderKey,
        int attempts,
        Optional<String> reason,
        long bytes,
        Timestamps times) {

    /**
     * Moments of the store's clock.
     *
     * @param due when it is to be delivered next
     * @param takenUntil until when it is a relay's to deliver, if it is one's
     * @param seen when it was looked at: what the others are to be compared with
     */
    public record Timestamps(Instant staged, Instant due, Optional<Instant> takenUntil, Instant seen) {}

    /** Whether a relay has it now. */
    public boolean underWay() {
        return times.takenUntil().filter(until -> until.isAfter(times.seen())).isPresent();
    }
}
