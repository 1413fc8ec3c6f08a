package dev.refrain.crash;

import dev.refrain.api.DurationText;
import java.time.Duration;
import java.util.concurrent.Callable;
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
        var task = started(what, body);
        try {
            task.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            task.cancel(true);
            throw new IllegalStateException("The " + what + " did not end within " + DurationText.of(within)
                    + ". Raise CrashMatrix.timeout, or find out why it hangs.");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception exception) {
                throw exception;
            }
            throw failed;
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
        Thread.ofVirtual().name(name).start(task);
        return task;
    }
}
