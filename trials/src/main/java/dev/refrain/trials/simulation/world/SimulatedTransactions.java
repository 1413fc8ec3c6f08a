package dev.refrain.trials.simulation.world;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.Transactions;
import dev.refrain.store.Unfinished;
import dev.refrain.trials.simulation.machine.Domain;
import java.time.Duration;
import java.util.List;

/** Transactions of one process, over its own bad line. */
record SimulatedTransactions(Store store, Database database, BadLine line, Domain process)
        implements Transactions<Database.Bookings> {

    @Override
    public List<Unfinished> unfinished(String namespace, Duration longerThan, int limit) {
        throw new UnsupportedOperationException("Nobody looks for what is overdue here.");
    }

    @Override
    public StoreTransaction<Database.Bookings> begin() {
        return line.statement("begin", () -> new SimulatedTransaction(database, line, process));
    }

    @Override
    public PhaseTransaction<Database.Bookings> phase() {
        return line.statement("begin of phase", () -> new SimulatedPhase(database, line, process));
    }

    @Override
    public StoreTransaction<Database.Bookings> join(Database.Bookings connection) {
        throw new UnsupportedOperationException("Callers' own transactions are not simulated.");
    }
}
