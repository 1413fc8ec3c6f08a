package dev.refrain.trials.simulation.world;

import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.util.List;

/** Transaction with the writes of message handlers and the settlements of their messages. */
final class SimulatedDelivery extends LockHoldingTransaction
        implements DeliveryTransaction<SimulatedDatabase.Bookings> {

    private boolean committed;

    SimulatedDelivery(SimulatedDatabase database, FaultyStoreLink line, SimulatedThreadGroup process) {
        super(database, line, process);
    }

    @Override
    boolean hasWritten() {
        return true;
    }

    @Override
    public boolean lostRace(Throwable failure) {
        return SimulatedPhase.LostRace.caused(failure);
    }

    @Override
    public boolean settleAndCommit(List<? extends MessageSettlement> settlements) {
        commit(() -> committed = database.deliver(process(), settlements, bookings));
        return committed;
    }

    @Override
    public String toString() {
        return "a delivery";
    }
}
