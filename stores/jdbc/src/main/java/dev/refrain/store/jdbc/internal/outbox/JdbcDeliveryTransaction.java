package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.jdbc.internal.transaction.GuardedWorkTransaction;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.MessageSettlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Handles and settles messages in one transaction of the application's database. */
record JdbcDeliveryTransaction(GuardedWorkTransaction work) implements DeliveryTransaction<Connection> {

    @Override
    public Connection connection() {
        return work.connection();
    }

    @Override
    public boolean lostRace(Throwable failure) {
        return work.lostRace(failure);
    }

    @Override
    public boolean settleAndCommit(List<? extends MessageSettlement> settlements) {
        work.requireCommittable();
        try {
            if (OutboxSettlementWriter.within(work.session(), settlements).size() < settlements.size()) {
                return false;
            }
        } catch (SQLException e) {
            throw work.translate("Settling " + settlements.size() + " messages", e);
        }
        work.commit("Committing " + settlements.size() + " deliveries");
        return true;
    }

    @Override
    public void close() {
        work.close();
    }
}
