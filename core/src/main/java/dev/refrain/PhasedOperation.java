package dev.refrain;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Payload;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.run.LeasedOperationRunner;
import dev.refrain.internal.run.RunSettings;
import dev.refrain.phase.PhasedWork;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.StoreTransactionFactory;
import java.time.Duration;

/** An operation that runs in phases, each of which commits by itself. Immutable, for any number of threads. */
public final class PhasedOperation<C> {

    private final LeasedOperationRunner runs;
    private final StoreTransactionFactory<C> transactions;
    private final Operation.Definition plan;
    private final RunSettings settings;
    private final OutcomeMapper<?> values;

    PhasedOperation(
            LeasedOperationRunner runs,
            StoreTransactionFactory<C> transactions,
            Operation.Definition plan,
            RunSettings settings,
            OutcomeMapper<?> values) {
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
    public <X extends Exception> OperationResult run(OperationCall call, Payload toStore, PhasedWork<C, X> work)
            throws X {
        return runs.runPhased(
                settings, plan.fingerprintedCall(call, values).withStoredRequest(toStore), transactions, work);
    }

    /** Goes on with what its caller left, if it is still there and nobody else does. */
    public <X extends Exception> OperationResult resume(AbandonedRecord left, PhasedWork<C, X> work) throws X {
        return runs.runPhased(
                settings, FingerprintedCall.ofRecord(left.identity(), left.fingerprint()), transactions, claim -> {
                    if (!claim.recordId().equals(left.id())) {
                        // It expired meanwhile, and what was claimed is a new record: nobody asked for that one.
                        // Whoever does
                        // brings its request.
                        throw new RetryLaterException(left.id() + " is gone.", Duration.ZERO);
                    }
                    return work.run(claim);
                });
    }
}
