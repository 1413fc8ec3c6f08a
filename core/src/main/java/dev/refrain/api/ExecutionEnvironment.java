package dev.refrain.api;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Source of time, threads and randomness, injected so that tests can control all three.
 *
 * <p>It has no wall clock on purpose: the protocol relies on the store's clock.
 */
public interface ExecutionEnvironment {

    /** Returns a monotonic clock like {@link System#nanoTime()}. */
    long nanoTime();

    /** Runs the body on a new thread, which may block. */
    void startThread(String name, Runnable body);

    /** Runs a short task once after the delay, unless it is cancelled before. */
    Timer schedule(Duration delay, Runnable task);

    /** Returns a value that no other claim has ever had, in time order, which keeps a store's indexes compact. */
    UUID newNonce();

    /** Returns the environment of an application: real time, virtual threads, strong randomness. */
    static ExecutionEnvironment system() {
        return SystemExecutionEnvironment.INSTANCE;
    }

    /** Blocks the calling thread. */
    default void sleep(Duration time) {
        var over = new CompletableFuture<@Nullable Void>();
        schedule(time, () -> over.complete(null));
        over.join();
    }

    /** Scheduled task that can be cancelled until it runs. */
    interface Timer {
        void cancel();
    }
}
