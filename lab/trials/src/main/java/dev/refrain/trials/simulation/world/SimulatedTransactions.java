package dev.refrain.trials.simulation.world;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;

/** Transactions of one process, over its own faulty link. */
final class SimulatedTransactions implements StoreTransactionFactory<SimulatedDatabase.Bookings> {

    private final Store store;
    private final SimulatedDatabase database;
    private final FaultyStoreLink line;
    private final SimulatedThreadGroup process;

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

    @Override
    public PhaseTransaction<SimulatedDatabase.Bookings> beginPhase() {
        return line.statement("begin of phase", () -> new SimulatedPhase(database, line, process));
    }

    @Override
    public StoreTransaction<SimulatedDatabase.Bookings> join(SimulatedDatabase.Bookings connection) {
        return new JoinedTransaction(database, line, connection);
    }
}
