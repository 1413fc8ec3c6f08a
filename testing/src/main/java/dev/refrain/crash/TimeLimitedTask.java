package dev.refrain.crash;

import dev.refrain.api.DurationText;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Task with a time limit, on a thread of its own. */
final class TimeLimitedTask {

    @FunctionalInterface
    interface TaskBody {
        void run() throws Exception;
    }

    private TimeLimitedTask() {}

    static void run(String what, Duration within, TaskBody body) throws Exception {
        var failure = new CompletableFuture<Exception>();
        var task = started(what, () -> {
            try {
                body.run();
            } catch (Exception e) {
                failure.complete(e);
                throw e;
            }
        });
        try {
            task.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            task.cancel(true);
            throw new IllegalStateException("The " + what + " did not end within " + DurationText.of(within)
                    + ". Raise CrashMatrix.timeout, or find out why it hangs." + lastFailure(failure));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception exception) {
                throw exception;
            }
            throw failed;
        }
    }

    /** Returns why a task that was interrupted had not ended, in words; empty if it does not say. */
    private static String lastFailure(CompletableFuture<Exception> failure) throws InterruptedException {
        try {
            var last = failure.get(1, TimeUnit.SECONDS);
            return last instanceof InterruptedException ? "" : " Last failure: " + last;
        } catch (ExecutionException | TimeoutException unknown) {
            return "";
        }
    }

    static FutureTask<Boolean> started(String name, TaskBody body) {
        return asked(name, () -> {
            body.run();
            return true;
        });
    }

    static <V> FutureTask<V> asked(String name, Callable<V> question) {
        var task = new FutureTask<>(question);
        // Not a virtual one: on Java 21 a framework that blocks inside synchronized would hold its carrier.
        Thread.ofPlatform().daemon().name(name).start(task);
        return task;
    }
}
