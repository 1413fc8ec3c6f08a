package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.jdbc.internal.transaction.GuardedWorkTransaction;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

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
        var lone = work.commitsInPipeline() ? OutboxSettlementWriter.lone(settlements) : Optional.<OutboxRowRef>empty();
        return lone.isPresent() ? deliverAndCommit(lone.get()) : settleThenCommit(settlements);
    }

    private boolean deliverAndCommit(OutboxRowRef row) {
        String doing = "Settling a message and committing its delivery";
        return work.commitBy(doing, () -> OutboxSettlementWriter.deliverAndCommit(work.session(), row));
    }

    private boolean settleThenCommit(List<? extends MessageSettlement> settlements) {
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
