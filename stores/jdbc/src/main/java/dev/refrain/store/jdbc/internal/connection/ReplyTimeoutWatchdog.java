package dev.refrain.store.jdbc.internal.connection;

import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Aborts dedicated connections whose reply does not arrive in time.
 *
 * <p>The driver's socket timeout could do that, but then each read by a virtual thread arms and disarms a timer, a fifth of the
 * process's time for a lone claim.
 */
public final class ReplyTimeoutWatchdog implements AutoCloseable {

    private static final int LOOKS_PER_LIMIT = 16;

    private final Thread thread;

    private ReplyTimeoutWatchdog(Thread thread) {
        this.thread = thread;
    }

    /**
     * Starts the watchdog.
     *
     * @param limit how long a reply may take; it is aborted at most a sixteenth later
     */
    public static ReplyTimeoutWatchdog start(
            Collection<DedicatedConnection> connections, Duration limit, LongSupplier nanoTime) {
        return new ReplyTimeoutWatchdog(
                Thread.ofVirtual().name("refrain-watch").start(() -> look(connections, limit, nanoTime)));
    }

    private static void look(Collection<DedicatedConnection> connections, Duration limit, LongSupplier nanoTime) {
        try {
            while (true) {
                Thread.sleep(limit.dividedBy(LOOKS_PER_LIMIT));
                long now = nanoTime.getAsLong();
                connections.forEach(connection -> connection.abortIfStartedBefore(now - limit.toNanos()));
            }
        } catch (InterruptedException closed) {
            // Interrupted by close.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
