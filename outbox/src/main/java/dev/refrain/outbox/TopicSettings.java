package dev.refrain.outbox;

import java.time.Duration;

/**
 * How messages of one topic are delivered. Immutable.
 *
 * @param timeout how long one delivery may take; after that it is interrupted, and its end is not known
 * @param maxAttempts after so many a message goes to the dead letters. What could not be sent at all does not count
 * @param maxConcurrent how many deliveries one relay has under way; with a handler, how many connections it takes at the most
 * @param deliveredRetention for how long delivered messages are kept; nothing to delete them at once
 * @param lease for how long a message is one relay's: what a relay had that was killed waits so long. A delivery is begun only if it ends
 *     before that, so it is longer than {@code within}; best twice as long, or more
 */
public record TopicSettings(
        String name,
        Duration timeout,
        int maxAttempts,
        DeliveryBackoff backoff,
        int maxConcurrent,
        Duration deliveredRetention,
        Duration lease) {

    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final Duration SHORTEST_USUAL_LEASE = Duration.ofSeconds(30);

    public TopicSettings {
        requireName(name);
        if (!timeout.isPositive() || maxAttempts < 1 || maxConcurrent < 1 || deliveredRetention.isNegative()) {
            throw new IllegalArgumentException("The topic " + name
                    + " needs within, attempts and atOnce of more than 0 and a keep that is not negative, but has "
                    + timeout
                    + ", " + maxAttempts + ", " + maxConcurrent + " and " + deliveredRetention + ".");
        }
        if (lease.compareTo(timeout) <= 0) {
            throw new IllegalArgumentException(
                    "The topic " + name + " needs a lease that is longer than a delivery may take, " + timeout
                            + ", but has " + lease + ".");
        }
    }

    /** Half a minute for a delivery, 25 attempts over about ten hours, 4 at once, and nothing kept. */
    public static TopicSettings of(String name) {
        return new TopicSettings(name, WITHIN, 25, DeliveryBackoff.STANDARD, 4, Duration.ZERO, usualLease(WITHIN));
    }

    /** A lease that was not chosen is twice as long, and at least half a minute. */
    public TopicSettings timeout(Duration time) {
        return new TopicSettings(
                name,
                time,
                maxAttempts,
                backoff,
                maxConcurrent,
                deliveredRetention,
                lease.equals(usualLease(timeout)) ? usualLease(time) : lease);
    }

    public TopicSettings maxAttempts(int most) {
        return new TopicSettings(name, timeout, most, backoff, maxConcurrent, deliveredRetention, lease);
    }

    public TopicSettings backoff(DeliveryBackoff other) {
        return new TopicSettings(name, timeout, maxAttempts, other, maxConcurrent, deliveredRetention, lease);
    }

    public TopicSettings maxConcurrent(int most) {
        return new TopicSettings(name, timeout, maxAttempts, backoff, most, deliveredRetention, lease);
    }

    public TopicSettings deliveredRetention(Duration delivered) {
        return new TopicSettings(name, timeout, maxAttempts, backoff, maxConcurrent, delivered, lease);
    }

    public TopicSettings lease(Duration time) {
        return new TopicSettings(name, timeout, maxAttempts, backoff, maxConcurrent, deliveredRetention, time);
    }

    private static Duration usualLease(Duration within) {
        var twice = within.multipliedBy(2);
        return twice.compareTo(SHORTEST_USUAL_LEASE) < 0 ? SHORTEST_USUAL_LEASE : twice;
    }

    static void requireName(String name) {
        if (!name.matches("[A-Za-z0-9_.-]{1,100}")) {
            throw new IllegalArgumentException(
                    "A topic is named by 1 to 100 letters, digits, '_', '.' or '-', not \"" + name + "\".");
        }
    }
}
