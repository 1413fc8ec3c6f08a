package dev.refrain.flow;

import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.phase.ClaimLostException;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.Optional;

/** Retries of a point, and the phase that runs if they all fail. */
record PhaseFailurePolicy<R, T, C>(PhaseRetryPolicy retryPolicy, Flow.FailurePhase<R, T, C> failurePhase) {

    /** Returns whether the run itself cannot continue here and now, so that the failure is not the phase's own. */
    static boolean endsRun(Exception thrown) {
        return thrown instanceof InterruptedException
                || (thrown instanceof StoreException store && !isOfTheWork(store))
                || thrown instanceof UnreadableOutcomeException
                || thrown instanceof ClaimLostException
                || thrown instanceof RetryLaterException
                || Thread.currentThread().isInterrupted();
    }

    /** Returns whether the database rejects what the phase wrote, for example by a constraint that is checked at commit. */
    private static boolean isOfTheWork(StoreException failure) {
        return failure instanceof RowRejectedException && !failure.isTransient();
    }

    /** Returns the pause before the next attempt, or nothing if there is none. */
    Optional<Duration> pauseBeforeNext(PhaseFailedException thrown, int made) {
        boolean last = made >= retryPolicy.maxAttempts()
                || retryPolicy.isPermanent().test(thrown.original())
                || thrown.toPropagate() instanceof EffectUnknownException;
        return last ? Optional.empty() : Optional.of(retryPolicy.backoffAfter(made));
    }

    PhaseFailure failed(PhaseFailedException thrown) {
        return new PhaseFailure(
                thrown.original(),
                thrown.mayHaveHappened() && !retryPolicy.isPermanent().test(thrown.original()));
    }
}
