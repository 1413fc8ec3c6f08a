package dev.refrain.store.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Message waiting for delivery, as people see it: everything except its body. Immutable.
 *
 * @param orderKey the order key, if it has one: earlier messages with it are delivered first
 * @param attempts number of attempts, without those in which nothing was sent
 * @param reason the failure of the last attempt, if there was one
 * @param bytes the size of its body
 */
public record WaitingMessage(
        long sequence,
        UUID id,
        String topic,
        Optional<String> orderKey,
        int attempts,
        Optional<String> reason,
        long bytes,
        MessageTimestamps times) {

    /**
     * Times by the store's clock.
     *
     * @param due when it is to be delivered next
     * @param takenUntil until when a relay has leased it, if one has
     * @param seen when it was read; compare the others with it
     */
    public record MessageTimestamps(Instant staged, Instant due, Optional<Instant> takenUntil, Instant seen) {}

    /** Returns true if a relay has leased it now. */
    public boolean underWay() {
        return times.takenUntil().filter(until -> until.isAfter(times.seen())).isPresent();
    }
}
