package dev.refrain.trials.simulation.world;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transaction with a lock on the key, uncommitted writes, and a commit that may be lost. */
final class SimulatedTransaction extends LockHoldingTransaction
        implements StoreTransaction<SimulatedDatabase.Bookings> {

    private @Nullable ClaimRequest request;
    private RecordWrite.@Nullable Complete completion;

    SimulatedTransaction(SimulatedDatabase database, FaultyStoreLink line, SimulatedThreadGroup process) {
        super(database, line, process);
    }

    @Override
    boolean hasWritten() {
        return completion != null;
    }

    @Override
    public ClaimResponse tryClaim(ClaimRequest asked) {
        return line.statement("enter", () -> new TransactionalClaim(database, this, asked).attempt());
    }

    @Override
    public void rollbackWork() {
        bookings.clear();
    }

    @Override
    public RecordWriteResponse complete(ClaimRequest asked, StoredRecord acquired, @Nullable Payload outcome) {
        return line.statement("settle", () -> {
            var claim = new TransactionalClaim(database, this, asked);
            if (!claim.isAsItWas(acquired)) {
                return new RecordWriteResponse.Refused(claim.there());
            }
            complete(asked, new RecordWrite.Complete(acquired.claim(), Optional.ofNullable(outcome), Optional.empty()));
            return new RecordWriteResponse.Written();
        });
    }

    @Override
    void complete(ClaimRequest asked, RecordWrite.Complete by) {
        request = asked;
        completion = by;
    }

    @Override
    public void commit() {
        commit(() -> {
            // Without an outcome to keep there is nothing of it either.
            if (request != null && completion != null) {
                database.commit(process(), request, completion, bookings);
            }
        });
    }

    @Override
    public String toString() {
        return "a transaction";
    }
}
