package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.jdbc.internal.sql.SqlSession;
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
        var lone = work.commitsInPipeline() ? OutboxSettlementWriter.lone(settlements) : Optional.<OutboxRowRef>empty();
        return lone.isPresent() ? deliverAndCommit(lone.get()) : settleThenCommit(settlements);
    }

    private boolean deliverAndCommit(OutboxRowRef row) {
        String doing = "Settling a message and committing its delivery";
        within(doing, () -> {
            work.requireCommittable();
            return true;
        });
        return work.commitBy(doing, () -> OutboxSettlementWriter.deliverAndCommit(work.session(), row));
    }

    private boolean settleThenCommit(List<? extends MessageSettlement> settlements) {
        var settled = within("Settling " + settlements.size() + " messages", () -> {
            work.requireCommittable();
            return OutboxSettlementWriter.within(work.session(), settlements);
        });
        if (settled.size() < settlements.size()) {
            return false;
        }
        work.commit("Committing " + settlements.size() + " deliveries");
        return true;
    }

    private <T> T within(String doing, SqlSession.SqlAction<T> statements) {
        try {
            return work.run(statements);
        } catch (SQLException e) {
            throw work.translate(doing, e);
        }
    }

    @Override
    public void close() {
        work.close();
    }
}
