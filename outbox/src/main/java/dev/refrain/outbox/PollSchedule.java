package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;

/**
 * Decides when a relay polls next. After a poll that found messages it pauses for a moment for each of them, so that many are leased together
 * where there are many and a lone one does not wait; each poll in vain doubles the pause. A commit is polled for at once, and a message that
 * is staged but not committed after growing pauses: it waits no longer after its commit than its transaction took after staging it.
 *
 * <p>Not thread-safe.
 */
final class PollSchedule {

    /** Pause for each message that the last poll found. */
    static final Duration FOR_EACH = Duration.ofNanos(200_000);

    /**
     * Longest pause for {@link OutboxStore#ACTIVE_POLLING_PERIOD} after a poll that found something, in which transactions of other processes
     * notify nobody.
     */
    static final Duration OFTEN = Duration.ofMillis(10);

    private final long interval;
    private final ExecutionEnvironment environment;

    private long polledAt;
    private long next;
    private long awakeUntil;

    /** Pause that the messages of the last poll are worth. */
    private long pace = FOR_EACH.toNanos();

    /** Pause before the next poll, if that is in vain too. */
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

    boolean isDue() {
        return environment.nanoTime() - next >= 0;
    }

    /** Returns the moment of the next poll. */
    long next() {
        return next;
    }

    /**
     * Notes the end of a poll.
     *
     * @param begun when it began
     * @param messages how many it found
     */
    void polled(long begun, int messages) {
        polledAt = environment.nanoTime();
        pace = Math.clamp(messages * FOR_EACH.toNanos(), FOR_EACH.toNanos(), OFTEN.toNanos());
        if (messages > 0) {
            awakeUntil = begun + OutboxStore.ACTIVE_POLLING_PERIOD.toNanos();
            pause = pace;
        } else {
            pause = Math.min(2 * pause, polledAt - awakeUntil < 0 ? OFTEN.toNanos() : interval);
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
        pollAt(Math.max(environment.nanoTime() - polledAt, pace) + polledAt);
    }

    /** Notes that a message was staged, which may be committed soon. */
    void staged() {
        pause = pace;
        pollAt(Math.max(environment.nanoTime() - polledAt + FOR_EACH.toNanos(), pace) + polledAt);
    }

    /** Notes that a message can be leased that could not be before. */
    void unblocked() {
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
