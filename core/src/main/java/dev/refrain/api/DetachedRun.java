package dev.refrain.api;

import dev.refrain.internal.run.GracefulShutdown;
import dev.refrain.internal.run.LeasedOperationRunner;
import dev.refrain.internal.run.ObservedRun;
import dev.refrain.observe.CallObserver;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Claimed work under way. Whoever opened it says how it ended, on any thread, exactly once: {@link #complete} or {@link
 * #fail}. Until then its lease is renewed, up to the operation's maximum run time.
 */
public final class DetachedRun implements DetachedRunStart {

    /** A part of the work. */
    @FunctionalInterface
    public interface WorkPart<X extends Exception> {
        void run() throws X;
    }

    private final LeasedOperationRunner.StartedRun running;
    private final GracefulShutdown.DetachedCall working;
    private final CallObserver watch;
    private final AtomicBoolean ended = new AtomicBoolean();

    public DetachedRun(
            LeasedOperationRunner.StartedRun running, GracefulShutdown.DetachedCall working, CallObserver watch) {
        this.running = running;
        this.working = working;
        this.watch = watch;
    }

    public Claim claim() {
        return running.claim;
    }

    /** Does a part of the work here: at a shutdown this thread is interrupted, and other operations may still be called. */
    public <X extends Exception> void runPart(WorkPart<X> part) throws X {
        try (var here = working.here();
                var watched = watch.openScope();
                var current = CurrentClaim.enterLeased(running.claim)) {
            part.run();
        }
    }

    /**
     * The work gave this answer. What is to be told is in the result: the answer, stored if it is to be kept; or what someone
     * else stored who had taken the claim over.
     */
    public OperationResult complete(Outcome.Answer answer) {
        end();
        try (working) {
            return ObservedRun.observeCall(watch, () -> running.completed(answer));
        }
    }

    /** The work failed. If someone else took the claim over and completed it, theirs is the outcome, and is given here. */
    public Optional<OperationResult> fail(Throwable failure) {
        end();
        try (working) {
            return ObservedRun.observePart(watch, () -> running.failed(failure));
        } finally {
            watch.onFailure(failure);
        }
    }

    /**
     * Nobody waits for an answer any more, but it is not known whether the work has ended: its lease is no longer renewed, and
     * not given back either, which would let a second one start beside it.
     */
    public void abandon() {
        end();
        try (working) {
            running.left();
        } finally {
            watch.onFailure(new IllegalStateException("Nobody knows whether the work has ended; its lease runs out."));
        }
    }

    /** Whether a failure would be kept as the outcome. */
    public boolean keepsFailure() {
        return running.keepsFailure();
    }

    public boolean hasEnded() {
        return ended.get();
    }

    private void end() {
        if (!ended.compareAndSet(false, true)) {
            throw new IllegalStateException("It was said before how this run ended.");
        }
    }
}
