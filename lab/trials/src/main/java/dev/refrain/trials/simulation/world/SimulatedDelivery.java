package dev.refrain.trials.simulation.world;

import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxTransaction;
import java.util.List;

/** Transaction with the writes of message handlers and the settlements of their messages. */
final class SimulatedDelivery implements OutboxTransaction<SimulatedDatabase.Bookings> {

    private final SimulatedDatabase database;
    private final FaultyStoreLink line;
    private final SimulatedDatabase.Bookings bookings = new SimulatedDatabase.Bookings();
    private boolean over;
    private boolean committed;

    SimulatedDelivery(SimulatedDatabase database, FaultyStoreLink line) {
        this.database = database;
        this.line = line;
    }

    @Override
    public SimulatedDatabase.Bookings connection() {
        return bookings;
    }

    @Override
    public boolean lostRace(Throwable failure) {
        return failure instanceof SimulatedPhase.LostRace;
    }

    @Override
    public boolean settleAndCommit(List<? extends MessageSettlement> settlements) {
        line.commit(
                () -> {
                    committed = !over && database.deliver(settlements, bookings);
                    over = true;
                },
                () -> over = true);
        return committed;
    }

    /** Does nothing: nobody waits for its locks. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "a delivery";
    }
}
