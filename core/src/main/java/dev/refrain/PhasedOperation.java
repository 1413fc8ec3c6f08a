package dev.refrain;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Payload;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.run.ConnectionCheck;
import dev.refrain.internal.run.LeasedOperationRunner;
import dev.refrain.internal.run.RunSettings;
import dev.refrain.phase.PhasedWork;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.StoreTransactionFactory;
import java.time.Duration;

/** Operation that runs in phases, each of which commits by itself. Immutable and thread-safe. */
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
     * Runs from the last recovery point if the key is not settled yet, and otherwise returns its result.
     *
     * <p>Refused before its claim if no connection for its first phase would come in time.
     *
     * @param toStore the data needed to complete the work without its caller; stored until the key is settled
     */
    public <X extends Exception> OperationResult run(OperationCall call, Payload toStore, PhasedWork<C, X> work)
            throws X {
        var asked = plan.fingerprintedCall(call, values).withStoredRequest(toStore);
        return runs.runPhased(
                settings,
                asked,
                transactions,
                ConnectionCheck.of(settings, asked.identity().scope(), transactions),
                work);
    }

    /**
     * Resumes work that its caller abandoned, if it still exists and nobody else runs it. Never refused because many wait for connections: what
     * was begun is better finished.
     */
    public <X extends Exception> OperationResult resume(AbandonedRecord left, PhasedWork<C, X> work) throws X {
        return runs.runPhased(
                settings,
                FingerprintedCall.ofRecord(left.identity(), left.fingerprint()),
                transactions,
                ConnectionCheck.NONE,
                claim -> {
                    if (!claim.recordId().equals(left.id())) {
                        // The record expired meanwhile, and the claim created a new one, which nobody asked for. The
                        // next caller
                        // brings its request.
                        throw new RetryLaterException(left.id() + " is gone.", Duration.ZERO);
                    }
                    return work.run(claim);
                });
    }
}
