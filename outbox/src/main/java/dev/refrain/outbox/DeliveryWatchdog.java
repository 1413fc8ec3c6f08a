package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread it was made on, unless what it guards is over by then. */
final class DeliveryWatchdog implements AutoCloseable {

    /** What is guarded. */
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }

    private final Thread guarded = Thread.currentThread();
    private final ExecutionEnvironment.Timer timer;
    private boolean over;
    private boolean bitten;

    private DeliveryWatchdog(ExecutionEnvironment environment, Duration within) {
        timer = environment.schedule(within, this::interruptIfRunning);
    }

    /** @throws TimeoutException if it took too long, whatever came of it */
    static void runWithTimeout(ExecutionEnvironment environment, Duration within, Body body) throws Exception {
        var dog = new DeliveryWatchdog(environment, within);
        try (dog) {
            body.run();
        } catch (Exception failure) {
            dog.close();
            if (dog.bitten) {
                throw late(within, failure);
            }
            throw failure;
        }
        if (dog.bitten) {
            throw late(within, null);
        }
    }

    private static TimeoutException late(Duration within, @Nullable Exception cause) {
        var late = new TimeoutException("It did not end within " + within + ".");
        if (cause != null) {
            late.initCause(cause);
        }
        return late;
    }

    private synchronized void interruptIfRunning() {
        if (!over) {
            bitten = true;
            guarded.interrupt();
        }
    }

    /** From here on the thread is not interrupted, and that it was is forgotten. */
    @Override
    public synchronized void close() {
        over = true;
        timer.cancel();
        if (bitten) {
            Thread.interrupted();
        }
    }
}
