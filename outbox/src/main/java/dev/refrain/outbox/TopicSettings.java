package dev.refrain.outbox;

import dev.refrain.api.DurationText;
import java.time.Duration;

/**
 * Settings for the delivery of one topic. Immutable.
 *
 * @param timeout how long a delivery may take; then it is interrupted, and may have arrived
 * @param maxAttempts the number of attempts after which a message becomes a dead letter; attempts that sent nothing do not count
 * @param maxConcurrent how many deliveries a relay has under way; with a handler, how many connections it uses at most
 * @param deliveredRetention how long delivered messages are kept; zero to delete them at once
 * @param lease how long a message belongs to one relay, and waits if that relay is killed; longer than the timeout, best twice as long
 */
public record TopicSettings(
        String name,
        Duration timeout,
        int maxAttempts,
        DeliveryBackoff backoff,
        int maxConcurrent,
        Duration deliveredRetention,
        Duration lease) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SHORTEST_USUAL_LEASE = Duration.ofSeconds(30);

    public TopicSettings {
        requireName(name);
        if (!timeout.isPositive() || maxAttempts < 1 || maxConcurrent < 1 || deliveredRetention.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid settings of topic " + name + ": timeout (" + DurationText.of(timeout)
                            + "), maxAttempts (" + maxAttempts + ") and maxConcurrent (" + maxConcurrent
                            + ") must be positive, and deliveredRetention (" + DurationText.of(deliveredRetention)
                            + ") must not be negative.");
        }
        if (lease.compareTo(timeout) <= 0) {
            throw new IllegalArgumentException("Invalid settings of topic " + name + ": lease ("
                    + DurationText.of(lease) + ") must be longer than timeout (" + DurationText.of(timeout) + ").");
        }
    }

    /** Returns the defaults: a timeout of 30 s, 25 attempts over about 10 h, 4 deliveries at a time, nothing kept. */
    public static TopicSettings of(String name) {
        return new TopicSettings(name, TIMEOUT, 25, DeliveryBackoff.STANDARD, 4, Duration.ZERO, usualLease(TIMEOUT));
    }

    /** Returns the same settings with another timeout. A lease that was not set becomes twice as long, and at least 30 s. */
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

    /** Returns the same settings with another number of attempts. */
    public TopicSettings maxAttempts(int most) {
        return new TopicSettings(name, timeout, most, backoff, maxConcurrent, deliveredRetention, lease);
    }

    /** Returns the same settings with another backoff. */
    public TopicSettings backoff(DeliveryBackoff other) {
        return new TopicSettings(name, timeout, maxAttempts, other, maxConcurrent, deliveredRetention, lease);
    }

    /** Returns the same settings with another number of concurrent deliveries. */
    public TopicSettings maxConcurrent(int most) {
        return new TopicSettings(name, timeout, maxAttempts, backoff, most, deliveredRetention, lease);
    }

    /** Returns the same settings with another retention of delivered messages. */
    public TopicSettings deliveredRetention(Duration delivered) {
        return new TopicSettings(name, timeout, maxAttempts, backoff, maxConcurrent, delivered, lease);
    }

    /** Returns the same settings with another lease. */
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
                    "Invalid topic name \"" + name + "\": use 1 to 100 letters, digits, '_', '.' or '-'.");
        }
    }
}
