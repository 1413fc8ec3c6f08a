package dev.refrain;

import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.LeasedRun;
import dev.refrain.run.Opening;
import dev.refrain.run.RunResult;
import dev.refrain.run.RunSettings;

/** An operation that runs leased: claim; then the work; then the outcome. Immutable, for any number of threads. */
public final class Leased<T> {

    private final LeasedRun runs;
    private final Operation.Plan plan;
    private final RunSettings settings;
    private final Values<T> values;

    Leased(LeasedRun runs, Operation.Plan plan, RunSettings settings, Values<T> values) {
        this.runs = runs;
        this.plan = plan;
        this.settings = settings;
        this.values = values;
    }

    /**
     * Runs the work if this key is new, and otherwise gives what it gave.
     *
     * @throws X what the work threw, if it ran
     * @throws InProgressException if it runs elsewhere and the wait, if any, was in vain
     * @throws MismatchException if the key was used for another request
     * @throws AttentionException if its outcome is unknown
     * @throws RepeatedFailureException if it was done, failed, and the failure was kept
     * @throws OutcomeNotKeptException if it was done and only that is known
     * @throws dev.refrain.store.StoreException if the store could not be asked; nothing ran
     * @throws dev.refrain.run.OutcomeUnknownException if it ran and its outcome could not be stored
     */
    public <X extends Exception> T run(String scope, String key, Object request, Work<T, X> work) throws X {
        return run(Call.of(scope, key, request), work);
    }

    /** The same for a call that says more. */
    public <X extends Exception> T run(Call call, Work<T, X> work) throws X {
        var fresh = new Fresh<>(work, values);
        return values.value(settings, fresh, runs.run(settings, plan.fingerprintedCall(call, values), fresh::run));
    }

    /** The same, with every ending as a value: for those who translate it into an answer of their own. */
    public <X extends Exception> RunResult runForResult(Call call, Work<T, X> work) throws X {
        return runs.run(settings, plan.fingerprintedCall(call, values), new Fresh<>(work, values)::run);
    }

    /**
     * For work that does not end on the thread it began on, such as an asynchronous handler: claims, or says what is there.
     * Whoever opens a run says how it ended.
     */
    public Opening startDetached(Call call) {
        return runs.open(settings, plan.fingerprintedCall(call, values));
    }

    /** One run of typed work, as the engine sees it. */
    private static final class Fresh<T, X extends Exception> extends Values.Produced<T> {
        private final Work<T, X> work;

        Fresh(Work<T, X> work, Values<T> values) {
            super(values);
            this.work = work;
        }

        Outcome.Answer run(Claim claim) throws X {
            return keep(claim, work.run(claim));
        }
    }
}
