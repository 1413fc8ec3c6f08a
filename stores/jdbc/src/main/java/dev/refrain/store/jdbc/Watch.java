package dev.refrain.store.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Cuts the connections of lanes on which a reply does not come.
 *
 * <p>The driver could do that itself, by a timeout on its socket; but then each read by a virtual thread arms and disarms
 * a timer, which costs as much as the round trip.
 */
final class Watch implements AutoCloseable {

    private static final int LOOKS_PER_LIMIT = 16;

    private final Thread thread;

    private Watch(Thread thread) {
        this.thread = thread;
    }

    /** @param limit how long a reply may take; it is cut off at most a sixteenth later */
    static Watch over(Collection<Lane> lanes, Duration limit, LongSupplier nanoTime) {
        return new Watch(Thread.ofVirtual().name("refrain-watch").start(() -> look(lanes, limit, nanoTime)));
    }

    private static void look(Collection<Lane> lanes, Duration limit, LongSupplier nanoTime) {
        try {
            while (true) {
                Thread.sleep(limit.dividedBy(LOOKS_PER_LIMIT));
                long begunBefore = nanoTime.getAsLong() - limit.toNanos();
                lanes.forEach(lane -> lane.cutIfBegunBefore(begunBefore));
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
