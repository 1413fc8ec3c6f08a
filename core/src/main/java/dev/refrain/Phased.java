package dev.refrain;

import dev.refrain.outcome.Payload;
import dev.refrain.run.LeasedRun;
import dev.refrain.run.PhasedWork;
import dev.refrain.run.RunResult;
import dev.refrain.run.RunSettings;
import dev.refrain.store.Transactions;

/** An operation that runs in phases, each of which commits by itself. Immutable, for any number of threads. */
public final class Phased<C> {

    private final LeasedRun runs;
    private final Transactions<C> transactions;
    private final Operation.Plan plan;
    private final RunSettings settings;
    private final Values<?> values;

    Phased(LeasedRun runs, Transactions<C> transactions, Operation.Plan plan, RunSettings settings, Values<?> values) {
        this.runs = runs;
        this.transactions = transactions;
        this.plan = plan;
        this.settings = settings;
        this.values = values;
    }

    /**
     * Runs from the recovery point that was reached, if this key is not settled yet, and otherwise says what is there.
     *
     * @param toStore what it takes to finish it without the caller; kept until it is settled
     */
    public <X extends Exception> RunResult attempt(Call call, Payload toStore, PhasedWork<C, X> work) throws X {
        return runs.runPhased(settings, plan.ask(call, values).storing(toStore), transactions, work);
    }
}
