package dev.refrain.store.jdbc;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.sql.Connection;
import java.sql.SQLException;

/** One phase in a transaction of the application's database. */
record JdbcPhase(BegunWork work) implements PhaseTransaction<Connection> {

    @Override
    public Connection connection() {
        return work.connection();
    }

    @Override
    public boolean isRetryableConflict(Throwable failure) {
        return work.lostRace(failure);
    }

    @Override
    public WriteAnswer writeAndCommit(Write write) {
        work.requireCommittable();
        try {
            var answer = Writing.writeInTransaction(work.session(), write);
            if (answer instanceof WriteAnswer.Written) {
                work.commit("Committing a phase");
            }
            return answer;
        } catch (SQLException e) {
            throw work.translate("Writing a phase's end", e);
        }
    }

    @Override
    public void close() {
        work.close();
    }
}
