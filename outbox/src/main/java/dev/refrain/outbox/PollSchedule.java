package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;

/**
 * Decides when a relay polls next. A commit is polled for at once, and a message that is staged but not committed after growing pauses, so that
 * it waits no longer after its commit than its transaction took after staging it. While deliveries are under way polls are rare: what is staged
 * meanwhile is leased together once they end, so that batches grow with the load.
 *
 * <p>Not thread-safe.
 */
final class PollSchedule {

    /** Shortest pause between two polls. */
    static final Duration AT_LEAST = Duration.ofNanos(200_000);

    /**
     * Longest pause for {@link OutboxStore#ACTIVE_POLLING_PERIOD} after a poll that found something, because other processes notify nobody then;
     * and the shortest one while deliveries are under way.
     */
    static final Duration OFTEN = Duration.ofMillis(10);

    private final long interval;
    private final ExecutionEnvironment environment;

    private long polledAt;
    private long next;
    private long awakeUntil;

    /** Messages that were staged by this process and not found yet. */
    private int expected;

    private boolean unblocked;

    /** Pause before the next poll, which doubles with each one in vain. */
    private long pause;

    /** @param interval how often to poll when nothing happens */
    PollSchedule(Duration interval, ExecutionEnvironment environment) {
        this.interval = interval.toNanos();
        this.environment = environment;
        this.pause = this.interval;
        this.next = environment.nanoTime();
        this.polledAt = next - OFTEN.toNanos();
        this.awakeUntil = next;
    }

    /** Returns the moment of the next poll if no delivery is under way. */
    long next() {
        return next;
    }

    /** Returns the moment of the next poll while deliveries are under way. */
    long nextBesideDeliveries() {
        long rarely = polledAt + OFTEN.toNanos();
        return unblocked || next - rarely > 0 ? next : rarely;
    }

    /**
     * Notes the end of a poll.
     *
     * @param begun when it began
     * @param staged messages that this process staged since the poll before
     * @param found messages that it found
     */
    void polled(long begun, int staged, int found) {
        polledAt = environment.nanoTime();
        unblocked = false;
        expected = Math.max(0, expected + staged - found);
        if (found > 0) {
            awakeUntil = begun + OutboxStore.ACTIVE_POLLING_PERIOD.toNanos();
            pause = expected > 0 ? AT_LEAST.toNanos() : OFTEN.toNanos();
        } else {
            boolean awake = polledAt - awakeUntil < 0;
            pause = staged > 0 ? AT_LEAST.toNanos() : Math.min(2 * pause, awake ? OFTEN.toNanos() : interval);
            // What is not committed by now may never be.
            expected = pause < OFTEN.toNanos() ? expected : 0;
        }
        next = polledAt + (pause < interval ? pause : randomised(interval));
    }

    /** Notes that the store could not be polled. */
    void failed(Duration retryAfter) {
        polledAt = environment.nanoTime();
        next = polledAt + retryAfter.toNanos();
    }

    /** Notes that messages were committed. */
    void committed() {
        pollAt(Math.max(environment.nanoTime() - polledAt, AT_LEAST.toNanos()) + polledAt);
    }

    /** Notes that a message was staged, which may be committed soon. */
    void staged() {
        pollAt(environment.nanoTime() + AT_LEAST.toNanos());
    }

    /** Notes that a message can be leased that could not be before. */
    void unblocked() {
        unblocked = true;
        pollAt(environment.nanoTime());
    }

    private void pollAt(long moment) {
        if (moment - next < 0) {
            next = moment;
        }
    }

    /** Returns a time about as long, so that many relays do not poll at once. */
    private long randomised(long nanos) {
        return (long) (nanos * (0.75 + 0.5 * DeliveryBackoff.random(environment)));
    }
}
