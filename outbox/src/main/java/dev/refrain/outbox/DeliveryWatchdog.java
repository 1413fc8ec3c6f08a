package dev.refrain.outbox;

import dev.refrain.api.DurationText;
import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Interrupts a delivery that takes longer than its timeout. */
final class DeliveryWatchdog implements AutoCloseable {

    /** Delivery that is guarded. */
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }

    private final Thread guarded = Thread.currentThread();
    private final ExecutionEnvironment.Timer timer;
    private boolean over;
    private boolean timedOut;

    private DeliveryWatchdog(ExecutionEnvironment environment, Duration within) {
        timer = environment.schedule(within, this::interruptIfRunning);
    }

    /**
     * Runs a delivery on this thread.
     *
     * @throws TimeoutException if it took longer than the timeout, however it ended
     */
    static void runWithTimeout(ExecutionEnvironment environment, Duration within, Body body) throws Exception {
        var dog = new DeliveryWatchdog(environment, within);
        try (dog) {
            body.run();
        } catch (Exception failure) {
            dog.close();
            if (dog.timedOut) {
                throw late(within, failure);
            }
            throw failure;
        }
        if (dog.timedOut) {
            throw late(within, null);
        }
    }

    private static TimeoutException late(Duration within, @Nullable Exception cause) {
        var late = new TimeoutException(
                "The delivery timed out after " + DurationText.of(within) + "; it may have arrived.");
        if (cause != null) {
            late.initCause(cause);
        }
        return late;
    }

    private synchronized void interruptIfRunning() {
        if (!over) {
            timedOut = true;
            guarded.interrupt();
        }
    }

    /** Ends the guard: the thread is not interrupted any more, and its interrupt flag is cleared. */
    @Override
    public synchronized void close() {
        over = true;
        timer.cancel();
        if (timedOut) {
            Thread.interrupted();
        }
    }
}
