package dev.refrain.api;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Time, threads and randomness, handed in so that a test can own all three.
 *
 * <p>There is no wall clock here on purpose: the protocol's clock is the store's.
 */
public interface ExecutionEnvironment {

    /** A monotonic clock, as {@link System#nanoTime()}. */
    long nanoTime();

    /** Runs the body on a thread of its own, which may block. */
    void startThread(String name, Runnable body);

    /** Runs a short task once after the delay, unless it is cancelled before. */
    Timer schedule(Duration delay, Runnable task);

    /** A value that no other claim ever had; made in time order, which keeps a store's indexes compact. */
    UUID newNonce();

    /** Real time, virtual threads, strong randomness. */
    static ExecutionEnvironment system() {
        return SystemExecutionEnvironment.INSTANCE;
    }

    /** Blocks the calling thread. */
    default void sleep(Duration time) {
        var over = new CompletableFuture<@Nullable Void>();
        schedule(time, () -> over.complete(null));
        over.join();
    }

    /** A task that has not run yet. */
    interface Timer {
        void cancel();
    }
}
