package dev.refrain.internal.run;

import dev.refrain.api.AsyncRun;
import dev.refrain.api.Claim;
import dev.refrain.api.CurrentClaim;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.observe.CallObserver;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Leased run whose end its opener reports, on any thread. */
final class LeasedAsyncRun implements AsyncRun {

    private final LeasedOperationRunner.StartedRun running;
    private final GracefulShutdown.DetachedCall working;
    private final CallObserver watch;
    private final AtomicBoolean ended = new AtomicBoolean();

    LeasedAsyncRun(
            LeasedOperationRunner.StartedRun running, GracefulShutdown.DetachedCall working, CallObserver watch) {
        this.running = running;
        this.working = working;
        this.watch = watch;
    }

    @Override
    public Claim claim() {
        return running.claim;
    }

    @Override
    public <X extends Exception> void runPart(WorkPart<X> part) throws X {
        try (var here = working.here();
                var watched = watch.openScope();
                var current = CurrentClaim.enterLeased(running.claim)) {
            part.run();
        }
    }

    @Override
    public OperationResult complete(Outcome.Answer answer) {
        end();
        try (working) {
            return ObservedRun.observeCall(watch, () -> running.completed(answer));
        }
    }

    @Override
    public Optional<OperationResult> fail(Throwable failure) {
        end();
        try (working) {
            return ObservedRun.observePart(watch, () -> running.failed(failure));
        } finally {
            watch.onFailure(failure);
        }
    }

    @Override
    public void abandon() {
        end();
        try (working) {
            running.left();
        } finally {
            watch.onFailure(
                    new IllegalStateException(
                            "The run was abandoned: it is unknown whether its work has ended. Its claim is held until the lease expires."));
        }
    }

    @Override
    public boolean keepsFailure() {
        return running.keepsFailure();
    }

    @Override
    public boolean hasEnded() {
        return ended.get();
    }

    @Override
    public void onMaxRunTimeExceeded(Runnable action) {
        running.claim.onMaxRunTimeExceeded(() -> {
            if (!hasEnded()) {
                action.run();
            }
        });
    }

    private void end() {
        if (!ended.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "The end of this run was already reported. Call complete, fail or abandon exactly once.");
        }
    }
}
