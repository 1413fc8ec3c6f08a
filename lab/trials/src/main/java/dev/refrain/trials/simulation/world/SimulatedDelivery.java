package dev.refrain.trials.simulation.world;

import dev.refrain.store.outbox.OutboxTransaction;
import dev.refrain.store.outbox.Settlement;
import java.util.List;

/** What handlers of messages write, and that those are delivered, in one transaction. */
final class SimulatedDelivery implements OutboxTransaction<Database.Bookings> {

    private final Database database;
    private final BadLine line;
    private final Database.Bookings bookings = new Database.Bookings();
    private boolean over;
    private boolean committed;

    SimulatedDelivery(Database database, BadLine line) {
        this.database = database;
        this.line = line;
    }

    @Override
    public Database.Bookings connection() {
        return bookings;
    }

    @Override
    public boolean lostRace(Throwable failure) {
        return failure instanceof SimulatedPhase.LostRace;
    }

    @Override
    public boolean settleAndCommit(List<? extends Settlement> settlements) {
        line.commit(
                () -> {
                    committed = !over && database.deliver(settlements, bookings);
                    over = true;
                },
                () -> over = true);
        return committed;
    }

    /** Nobody waits for what it holds, so nothing is given back. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "a delivery";
    }
}
