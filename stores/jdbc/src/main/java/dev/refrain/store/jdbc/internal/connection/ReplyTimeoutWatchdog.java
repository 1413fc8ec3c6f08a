package dev.refrain.store.jdbc.internal.connection;

import dev.refrain.store.jdbc.internal.transaction.HandoverQueueRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Sees to what waits for too long: cuts the connections of lanes on which a reply does not come, and gives back to the line
 * whoever waits for another's commit.
 *
 * <p>For a reply the driver could do that itself, by a timeout on its socket; but then each read by a virtual thread arms and
 * disarms a timer, a fifth of what the process spends on a lone claim.
 */
public final class ReplyTimeoutWatchdog implements AutoCloseable {

    private static final int LOOKS_PER_LIMIT = 16;

    private final Thread thread;

    private ReplyTimeoutWatchdog(Thread thread) {
        this.thread = thread;
    }

    /** @param limit how long a reply may take; it is cut off at most a sixteenth later */
    public static ReplyTimeoutWatchdog start(
            Collection<DedicatedConnection> lanes, HandoverQueueRegistry lines, Duration limit, LongSupplier nanoTime) {
        return new ReplyTimeoutWatchdog(
                Thread.ofVirtual().name("refrain-watch").start(() -> look(lanes, lines, limit, nanoTime)));
    }

    private static void look(
            Collection<DedicatedConnection> lanes, HandoverQueueRegistry lines, Duration limit, LongSupplier nanoTime) {
        try {
            while (true) {
                var pause = limit.dividedBy(LOOKS_PER_LIMIT);
                Thread.sleep(pause);
                long now = nanoTime.getAsLong();
                lanes.forEach(lane -> lane.abortIfStartedBefore(now - limit.toNanos()));
                lines.giveBackTakenBefore(now - pause.toNanos());
            }
        } catch (InterruptedException closed) {
            // That is how it ends.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
