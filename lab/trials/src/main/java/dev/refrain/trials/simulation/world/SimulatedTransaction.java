package dev.refrain.trials.simulation.world;

import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.util.List;
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
        return line.statement("enter", () -> {
            if (!database.lock(asked.lookup(), this)) {
                return new ClaimResponse.LockedByTransaction();
            }
            var there = there(asked);
            return isFree(asked, there)
                    ? new ClaimResponse.Acquired(acquired(asked, there))
                    : new ClaimResponse.Found(there.orElseThrow());
        });
    }

    @Override
    public void rollbackWork() {
        bookings.clear();
    }

    @Override
    public WriteResponse complete(ClaimRequest asked, StoredRecord acquired, Optional<Payload> outcome) {
        return line.statement("settle", () -> {
            var there = there(asked);
            boolean asItWas =
                    isFree(asked, there) && acquired(asked, there).claim().equals(acquired.claim());
            if (!asItWas) {
                return new WriteResponse.Refused(there);
            }
            request = asked;
            completion = new RecordWrite.Complete(acquired.claim(), outcome, Optional.empty());
            return new WriteResponse.Written();
        });
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

    private Optional<StoredRecord> there(ClaimRequest asked) {
        return database.store().find(List.of(asked.identity())).getFirst();
    }

    private static boolean isFree(ClaimRequest asked, Optional<StoredRecord> there) {
        return there.map(r -> r.isClaimable()
                        && r.fingerprint().map(asked.fingerprint()::equals).orElse(true))
                .orElse(true);
    }

    private static StoredRecord acquired(ClaimRequest asked, Optional<StoredRecord> there) {
        return new StoredRecord(
                asked.lookup(),
                there.map(StoredRecord::id).orElse(new RecordId(asked.nonce())),
                there.map(r -> r.fence() + 1).orElse(1L),
                asked.nonce(),
                RecordState.IN_PROGRESS,
                asked.leaseExpiryPolicy(),
                Optional.of(asked.fingerprint()),
                there.flatMap(StoredRecord::recoveryPoint),
                asked.lease(),
                there.isPresent()
                        ? there.get().remainingLife()
                        : asked.retention().duration(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public String toString() {
        return "a transaction";
    }
}
