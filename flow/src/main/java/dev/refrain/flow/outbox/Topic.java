package dev.refrain.flow.outbox;

import java.time.Duration;

/**
 * How messages of one topic are delivered. Immutable.
 *
 * @param within how long one delivery may take; after that it is interrupted, and its end is not known
 * @param attempts after so many a message goes to the dead letters. What could not be sent at all does not count
 * @param atOnce how many deliveries one relay has under way; with a handler, how many connections it takes at the most
 * @param keep for how long delivered messages are kept; nothing to delete them at once
 */
public record Topic(String name, Duration within, int attempts, Backoff backoff, int atOnce, Duration keep) {

    public Topic {
        requireName(name);
        if (!within.isPositive() || attempts < 1 || atOnce < 1 || keep.isNegative()) {
            throw new IllegalArgumentException("The topic " + name
                    + " needs within, attempts and atOnce of more than 0 and a keep that is not negative, but has "
                    + within
                    + ", " + attempts + ", " + atOnce + " and " + keep + ".");
        }
    }

    /** Half a minute for a delivery, 25 attempts over about ten hours, 4 at once, and nothing kept. */
    public static Topic named(String name) {
        return new Topic(name, Duration.ofSeconds(30), 25, Backoff.STANDARD, 4, Duration.ZERO);
    }

    public Topic within(Duration time) {
        return new Topic(name, time, attempts, backoff, atOnce, keep);
    }

    public Topic attempts(int most) {
        return new Topic(name, within, most, backoff, atOnce, keep);
    }

    public Topic backoff(Backoff other) {
        return new Topic(name, within, attempts, other, atOnce, keep);
    }

    public Topic atOnce(int most) {
        return new Topic(name, within, attempts, backoff, most, keep);
    }

    public Topic keep(Duration delivered) {
        return new Topic(name, within, attempts, backoff, atOnce, delivered);
    }

    /** A delivery is begun only if it ends before the lease does. */
    Duration lease() {
        var twice = within.multipliedBy(2);
        return twice.compareTo(Duration.ofSeconds(30)) < 0 ? Duration.ofSeconds(30) : twice;
    }

    static void requireName(String name) {
        if (!name.matches("[A-Za-z0-9_.-]{1,100}")) {
            throw new IllegalArgumentException(
                    "A topic is named by 1 to 100 letters, digits, '_', '.' or '-', not \"" + name + "\".");
        }
    }
}
