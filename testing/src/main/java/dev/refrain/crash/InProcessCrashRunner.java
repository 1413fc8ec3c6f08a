package dev.refrain.crash;

import dev.refrain.api.DurationText;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Kills an instance in this JVM: its connections are aborted, and its threads get an error at the next crash point. The next instance does
 * not wait for them, as it would not for a dead process.
 */
final class InProcessCrashRunner implements CrashRunner<InProcessTrial> {

    /** Longer than an application needs to shut down on a busy machine; one that hangs costs no more. */
    private static final Duration CLOSING = Duration.ofMinutes(1);

    private final Queue<Future<Boolean>> funerals = new ConcurrentLinkedQueue<>();

    @Override
    public CrashableApplication start(InProcessTrial trial, CrashInjector life) throws Exception {
        return trial.start(life);
    }

    @Override
    public boolean killAt(CrashPoint boundary, InProcessTrial trial, Duration within) throws Exception {
        var killed = new CompletableFuture<Boolean>();
        var life = CrashInjector.crashingAt(boundary, itself -> {
            itself.cutConnections();
            killed.complete(true);
        });
        var application = trial.start(life);
        life.startRecording();
        var request = TimeLimitedTask.started("request", () -> {
            try {
                application.request();
            } finally {
                // Also if it failed by itself: then its client retries, as it would after a crash.
                life.stopRecording();
                killed.complete(false);
            }
        });
        try {
            return killed.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            request.cancel(true);
            throw new IllegalStateException(
                    "The request came neither to \"" + boundary + "\" nor to its end within " + DurationText.of(within)
                            + ". Raise CrashMatrix.timeout, or find out why it hangs.",
                    late);
        } finally {
            funerals.add(TimeLimitedTask.started("funeral", () -> {
                try {
                    if (life.hasCrashed()) {
                        application.kill();
                    }
                    request.get();
                } finally {
                    application.close();
                }
            }));
        }
    }

    /** Closes the instances, and gives all of them together some time for it. Exceptions of a killed one are ignored. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + CLOSING.toNanos();
        for (var funeral : funerals) {
            try {
                funeral.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception dead) {
                funeral.cancel(true);
            }
        }
    }
}
