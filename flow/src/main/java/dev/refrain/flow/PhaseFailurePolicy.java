package dev.refrain.flow;

import dev.refrain.phase.ClaimLostException;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.Optional;

/** What follows when something at a point fails, instead of an exception for the caller. */
record PhaseFailurePolicy<R, C>(PhaseRetryPolicy tries, Flow.FailurePhase<R, C> otherwise) {

    /** Whether it is no failure of what is done there: the run itself cannot go on here and now. */
    static boolean endsRun(Exception thrown) {
        return thrown instanceof InterruptedException
                || (thrown instanceof StoreException store && !isOfTheWork(store))
                || thrown instanceof ClaimLostException
                || thrown instanceof RetryLaterException
                || Thread.currentThread().isInterrupted();
    }

    /** Whether the database will never take what the work wrote: a constraint that is looked at by the commit, say. */
    private static boolean isOfTheWork(StoreException failure) {
        return failure instanceof RowRejectedException && !failure.isTransient();
    }

    /** How long to wait for the next try; empty if there is none. */
    Optional<Duration> pauseBeforeNext(PhaseFailedException thrown, int made) {
        boolean last = made >= tries.maxAttempts()
                || tries.isPermanent().test(thrown.original())
                || thrown.toPropagate() instanceof EffectUnknownException;
        return last ? Optional.empty() : Optional.of(tries.backoffAfter(made));
    }

    PhaseFailure failed(PhaseFailedException thrown) {
        return new PhaseFailure(
                thrown.original(),
                thrown.mayHaveHappened() && !tries.isPermanent().test(thrown.original()));
    }
}
