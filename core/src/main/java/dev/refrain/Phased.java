package dev.refrain;

import dev.refrain.claim.Ask;
import dev.refrain.outcome.Payload;
import dev.refrain.run.LeasedRun;
import dev.refrain.run.PhasedWork;
import dev.refrain.run.PutOffException;
import dev.refrain.run.RunResult;
import dev.refrain.run.RunSettings;
import dev.refrain.store.Abandoned;
import dev.refrain.store.Transactions;
import java.time.Duration;

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
    public <X extends Exception> RunResult run(Call call, Payload toStore, PhasedWork<C, X> work) throws X {
        return runs.runPhased(settings, plan.fingerprintedCall(call, values).withStoredRequest(toStore), transactions, work);
    }

    /** Goes on with what its caller left, if it is still there and nobody else does. */
    public <X extends Exception> RunResult resume(Abandoned left, PhasedWork<C, X> work) throws X {
        return runs.runPhased(settings, Ask.ofRecord(left.identity(), left.fingerprint()), transactions, claim -> {
            if (!claim.recordId().equals(left.id())) {
                // It expired meanwhile, and what was claimed is a new record: nobody asked for that one. Whoever does
                // brings its request.
                throw new PutOffException(left.id() + " is gone.", Duration.ZERO);
            }
            return work.run(claim);
        });
    }
}
