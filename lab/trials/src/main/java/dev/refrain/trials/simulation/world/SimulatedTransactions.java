package dev.refrain.trials.simulation.world;

import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Transactions;
import dev.refrain.store.Unfinished;
import dev.refrain.store.WriteAnswer;
import dev.refrain.trials.simulation.machine.Domain;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Transactions of one process, over its own bad line. */
final class SimulatedTransactions implements Transactions<Database.Bookings> {

    private final Store store;
    private final Database database;
    private final BadLine line;
    private final Domain process;
    private final Map<Database.Bookings, SimulatedTransaction> callers = new HashMap<>();

    SimulatedTransactions(Store store, Database database, BadLine line, Domain process) {
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
    public List<Unfinished> listUnfinished(String namespace, Duration longerThan, int limit) {
        throw new UnsupportedOperationException("Nobody looks for what is overdue here.");
    }

    @Override
    public SimulatedTransaction begin() {
        return line.statement("begin", () -> new SimulatedTransaction(database, line, process));
    }

    /** One that its caller ends, and that others may take part in until then. */
    SimulatedTransaction beginOfCaller() {
        var begun = begin();
        callers.put(begun.connection(), begun);
        return begun;
    }

    @Override
    public PhaseTransaction<Database.Bookings> beginPhase() {
        return line.statement("begin of phase", () -> new SimulatedPhase(database, line, process));
    }

    @Override
    public StoreTransaction<Database.Bookings> join(Database.Bookings connection) {
        return new Part(Objects.requireNonNull(callers.get(connection)));
    }

    /** A part of the caller's transaction. */
    private record Part(SimulatedTransaction whole) implements StoreTransaction<Database.Bookings> {

        @Override
        public Database.Bookings connection() {
            return whole.connection();
        }

        @Override
        public ClaimAnswer tryClaim(ClaimRequest request) {
            return whole.tryClaim(request);
        }

        @Override
        public void rollbackWork() {
            whole.rollbackWork();
        }

        @Override
        public WriteAnswer complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
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
