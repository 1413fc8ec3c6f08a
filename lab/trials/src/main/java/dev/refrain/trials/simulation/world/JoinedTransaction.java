package dev.refrain.trials.simulation.world;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Participation of an operation in a transaction of its caller: a client's, a phase of a flow, or the delivery of a message. */
final class JoinedTransaction implements StoreTransaction<SimulatedDatabase.Bookings> {

    private final SimulatedDatabase database;
    private final FaultyStoreLink line;
    private final SimulatedDatabase.Bookings bookings;
    private SimulatedDatabase.Bookings.Mark savepoint;

    JoinedTransaction(SimulatedDatabase database, FaultyStoreLink line, SimulatedDatabase.Bookings bookings) {
        this.database = database;
        this.line = line;
        this.bookings = bookings;
        savepoint = bookings.mark();
    }

    @Override
    public SimulatedDatabase.Bookings connection() {
        return bookings;
    }

    @Override
    public ClaimResponse tryClaim(ClaimRequest request) {
        savepoint = bookings.mark();
        return line.statement("enter", () -> new TransactionalClaim(database, bookings.owner(), request).attempt());
    }

    @Override
    public void rollbackWork() {
        bookings.rollBackTo(savepoint);
    }

    @Override
    public RecordWriteResponse complete(ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
        return line.statement("settle", () -> {
            var claim = new TransactionalClaim(database, bookings.owner(), request);
            if (!claim.isAsItWas(acquired)) {
                return new RecordWriteResponse.Refused(claim.there());
            }
            bookings.owner()
                    .complete(
                            request,
                            new RecordWrite.Complete(acquired.claim(), Optional.ofNullable(outcome), Optional.empty()));
            return new RecordWriteResponse.Written();
        });
    }

    @Override
    public void commit() {
        throw new IllegalStateException("That is for its caller to do.");
    }

    @Override
    public void close() {
        // That is for its caller to do.
    }
}
