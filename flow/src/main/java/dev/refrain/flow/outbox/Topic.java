package dev.refrain.flow.outbox;

import java.time.Duration;

/**
 * How messages of one topic are delivered. Immutable.
 *
 * @param within how long one delivery may take; after that it is interrupted, and its end is not known
 * @param attempts after so many a message goes to the dead letters. What could not be sent at all does not count
 * @param atOnce how many deliveries one relay has under way; with a handler, how many connections it takes at the most
 * @param keep for how long delivered messages are kept; nothing to delete them at once
 * @param lease for how long a message is one relay's: what a relay had that was killed waits so long. A delivery is begun only if it ends
 *     before that, so it is longer than {@code within}; best twice as long, or more
 */
public record Topic(
        String name, Duration within, int attempts, Backoff backoff, int atOnce, Duration keep, Duration lease) {

    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final Duration SHORTEST_USUAL_LEASE = Duration.ofSeconds(30);

    public Topic {
        requireName(name);
        if (!within.isPositive() || attempts < 1 || atOnce < 1 || keep.isNegative()) {
            throw new IllegalArgumentException("The topic " + name
                    + " needs within, attempts and atOnce of more than 0 and a keep that is not negative, but has "
                    + within
                    + ", " + attempts + ", " + atOnce + " and " + keep + ".");
        }
        if (lease.compareTo(within) <= 0) {
            throw new IllegalArgumentException("The topic " + name
                    + " needs a lease that is longer than a delivery may take, " + within + ", but has " + lease + ".");
        }
    }

    /** Half a minute for a delivery, 25 attempts over about ten hours, 4 at once, and nothing kept. */
    public static Topic named(String name) {
        return new Topic(name, WITHIN, 25, Backoff.STANDARD, 4, Duration.ZERO, usualLease(WITHIN));
    }

    /** A lease that was not chosen is twice as long, and at least half a minute. */
    public Topic within(Duration time) {
        return new Topic(
                name,
                time,
                attempts,
                backoff,
                atOnce,
                keep,
                lease.equals(usualLease(within)) ? usualLease(time) : lease);
    }

    public Topic attempts(int most) {
        return new Topic(name, within, most, backoff, atOnce, keep, lease);
    }

    public Topic backoff(Backoff other) {
        return new Topic(name, within, attempts, other, atOnce, keep, lease);
    }

    public Topic atOnce(int most) {
        return new Topic(name, within, attempts, backoff, most, keep, lease);
    }

    public Topic keep(Duration delivered) {
        return new Topic(name, within, attempts, backoff, atOnce, delivered, lease);
    }

    public Topic lease(Duration time) {
        return new Topic(name, within, attempts, backoff, atOnce, keep, time);
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
