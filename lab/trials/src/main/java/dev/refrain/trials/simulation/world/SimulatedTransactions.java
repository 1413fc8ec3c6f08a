package dev.refrain.trials.simulation.world;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Transactions of one process, over its own faulty link. */
final class SimulatedTransactions implements StoreTransactionFactory<SimulatedDatabase.Bookings> {

    private final Store store;
    private final SimulatedDatabase database;
    private final FaultyStoreLink line;
    private final SimulatedThreadGroup process;
    private final Map<SimulatedDatabase.Bookings, SimulatedTransaction> callers = new HashMap<>();

    SimulatedTransactions(Store store, SimulatedDatabase database, FaultyStoreLink line, SimulatedThreadGroup process) {
        this.store = store;
        this.database = database;
        this.line = line;
        this.process = process;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public SimulatedTransaction begin() {
        return line.statement("begin", () -> new SimulatedTransaction(database, line, process));
    }

    /** Begins a transaction that its caller ends, and that others may join until then. */
    SimulatedTransaction beginOfCaller() {
        var begun = begin();
        callers.put(begun.connection(), begun);
        return begun;
    }

    @Override
    public PhaseTransaction<SimulatedDatabase.Bookings> beginPhase() {
        return line.statement("begin of phase", () -> new SimulatedPhase(database, line, process));
    }

    @Override
    public StoreTransaction<SimulatedDatabase.Bookings> join(SimulatedDatabase.Bookings connection) {
        return new Part(Objects.requireNonNull(callers.get(connection)));
    }

    /** Participation in the caller's transaction. */
    private record Part(SimulatedTransaction whole) implements StoreTransaction<SimulatedDatabase.Bookings> {

        @Override
        public SimulatedDatabase.Bookings connection() {
            return whole.connection();
        }

        @Override
        public ClaimResponse tryClaim(ClaimRequest request) {
            return whole.tryClaim(request);
        }

        @Override
        public void rollbackWork() {
            whole.rollbackWork();
        }

        @Override
        public WriteResponse complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return whole.complete(request, acquired, outcome);
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
}
