package dev.refrain;

import dev.refrain.api.AsyncRunStart;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.Claim;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.internal.run.LeasedOperationRunner;
import dev.refrain.internal.run.RunSettings;

/**
 * Operation that runs leased: claims and commits the key, then runs the work, then stores the outcome. Immutable and thread-safe.
 */
public final class LeasedOperation<T> {

    private final LeasedOperationRunner runs;
    private final Operation.Definition plan;
    private final RunSettings settings;
    private final OutcomeMapper<T> values;

    LeasedOperation(
            LeasedOperationRunner runs, Operation.Definition plan, RunSettings settings, OutcomeMapper<T> values) {
        this.runs = runs;
        this.plan = plan;
        this.settings = settings;
        this.values = values;
    }

    /**
     * Runs the work if the key is new, and otherwise returns the stored result.
     *
     * @throws X the work's exception, if it ran
     * @throws InProgressException if another caller is still running this key and the wait, if any, timed out
     * @throws RequestMismatchException if the key was used for another request
     * @throws AttentionRequiredException if its outcome is unknown
     * @throws ReplayedFailureException if it was completed with a failure, which was stored
     * @throws OutcomeNotKeptException if it was completed, but its result was not stored
     * @throws dev.refrain.store.StoreException if the store is unreachable; nothing ran
     * @throws dev.refrain.api.OutcomeUnknownException if it ran but its outcome could not be stored
     */
    public <X extends Exception> T run(OperationCall call, LeasedWork<T, X> work) throws X {
        var fresh = new TypedRun<>(work, values);
        return values.value(settings, fresh, runs.run(settings, plan.fingerprintedCall(call, values), fresh::run));
    }

    /** Runs like {@link #run} and returns every result as a value, for edges that map it to their own responses. */
    public <X extends Exception> OperationResult runForResult(OperationCall call, LeasedWork<T, X> work) throws X {
        return runs.run(settings, plan.fingerprintedCall(call, values), new TypedRun<>(work, values)::run);
    }

    /**
     * Claims the key for work that does not end on the thread it began on, such as an asynchronous handler. If the claim
     * succeeds, the caller must report how the run ended; otherwise the result is already there.
     */
    public AsyncRunStart startAsync(OperationCall call) {
        return runs.open(settings, plan.fingerprintedCall(call, values));
    }

    /**
     * Returns true if the store has so much to do that a call of this scope would be refused now. For edges, which can then refuse a
     * request before they read it.
     */
    public boolean isOverloaded(String scope) {
        return runs.isOverloaded(settings, scope);
    }

    /** One run of typed work, as the engine sees it. */
    private static final class TypedRun<T, X extends Exception> extends OutcomeMapper.ProducedValue<T> {
        private final LeasedWork<T, X> work;

        TypedRun(LeasedWork<T, X> work, OutcomeMapper<T> values) {
            super(values);
            this.work = work;
        }

        Outcome.Answer run(Claim claim) throws X {
            return keep(claim, work.run(claim));
        }
    }
}
