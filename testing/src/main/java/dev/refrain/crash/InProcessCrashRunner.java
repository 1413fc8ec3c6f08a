package dev.refrain.crash;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Kills an instance in this JVM: its connections are aborted, and its threads get an error at the next crash point. The next instance does
 * not wait for them, as it would not for a dead process.
 */
final class InProcessCrashRunner implements CrashRunner<InProcessTrial> {

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
                killed.complete(false);
            }
        });
        try {
            return killed.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            funerals.add(TimeLimitedTask.started("funeral", () -> {
                try {
                    request.get();
                } finally {
                    application.close();
                }
            }));
        }
    }

    /** Closes the instances. Exceptions of a killed one are ignored. */
    @Override
    public void close() {
        for (var funeral : funerals) {
            try {
                funeral.get(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception dead) {
                funeral.cancel(true);
            }
        }
    }
}
