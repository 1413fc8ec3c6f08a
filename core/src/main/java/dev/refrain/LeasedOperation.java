package dev.refrain;

import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.Claim;
import dev.refrain.api.DetachedRunStart;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.internal.run.LeasedOperationRunner;
import dev.refrain.internal.run.RunSettings;

/** An operation that runs leased: claim; then the work; then the outcome. Immutable, for any number of threads. */
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
     * Runs the work if this key is new, and otherwise returns what it returned.
     *
     * @throws X what the work threw, if it ran
     * @throws InProgressException if another caller is still running this key and the wait, if any, timed out
     * @throws RequestMismatchException if the key was used for another request
     * @throws AttentionRequiredException if its outcome is unknown
     * @throws ReplayedFailureException if it was done, failed, and the failure was kept
     * @throws OutcomeNotKeptException if it was done and only that is known
     * @throws dev.refrain.store.StoreException if the store could not be asked; nothing ran
     * @throws dev.refrain.api.OutcomeUnknownException if it ran and its outcome could not be stored
     */
    public <X extends Exception> T run(OperationCall call, LeasedWork<T, X> work) throws X {
        var fresh = new TypedRun<>(work, values);
        return values.value(settings, fresh, runs.run(settings, plan.fingerprintedCall(call, values), fresh::run));
    }

    /** The same as {@link #run}, with every ending as a value: for edges that translate it into an answer of their own. */
    public <X extends Exception> OperationResult runForResult(OperationCall call, LeasedWork<T, X> work) throws X {
        return runs.run(settings, plan.fingerprintedCall(call, values), new TypedRun<>(work, values)::run);
    }

    /**
     * For work that does not end on the thread it began on, such as an asynchronous handler: claims, or says what is there.
     * Whoever opens a run says how it ended.
     */
    public DetachedRunStart startDetached(OperationCall call) {
        return runs.open(settings, plan.fingerprintedCall(call, values));
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
