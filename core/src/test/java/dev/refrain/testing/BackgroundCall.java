package dev.refrain.testing;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Something that runs on a thread of its own, and how it ended. */
public final class BackgroundCall<T> {

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    private BackgroundCall(Callable<T> body) {
        thread = TestThreads.unstarted("test-background", () -> {
            try {
                result.complete(body.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
    }

    public static <T> BackgroundCall<T> run(Callable<T> body) {
        var started = new BackgroundCall<>(body);
        TestThreads.start(started.thread);
        return started;
    }

    /** So many at once. */
    public static <T> List<BackgroundCall<T>> run(int times, Callable<T> body) {
        var all = IntStream.range(0, times)
                .mapToObj(i -> new BackgroundCall<>(body))
                .toList();
        all.forEach(b -> TestThreads.start(b.thread));
        return all;
    }

    public boolean isDone() {
        return result.isDone();
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** Waits until it is parked: until it waits for something itself, and not only for a lock in passing. */
    public BackgroundCall<T> parked() {
        var seen = new AtomicInteger();
        AwaitCondition.until(() -> {
            if (result.isDone()) {
                throw new AssertionError("It ended instead of waiting: " + result);
            }
            boolean waits =
                    thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
            return (waits ? seen.incrementAndGet() : seen.getAndSet(0)) >= 3;
        });
        return this;
    }

    public T get() {
        try {
            return result.get(AwaitCondition.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("It failed", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("It did not end", e);
        }
    }

    /** What it threw; fails if it ended otherwise. */
    public Throwable failure() {
        try {
            T value = result.get(AwaitCondition.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            throw new AssertionError("It did not fail, but gave " + value);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("It did not end", e);
        }
    }
}
