package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import java.sql.Connection;
import java.sql.SQLException;

/** One phase in a transaction of the application's database. */
record JdbcPhaseTransaction(WorkTransaction work) implements PhaseTransaction<Connection> {

    @Override
    public Connection connection() {
        return work.connection();
    }

    @Override
    public boolean isRetryableConflict(Throwable failure) {
        return work.lostRace(failure);
    }

    @Override
    public WriteResponse writeAndCommit(RecordWrite write) {
        work.requireCommittable();
        try {
            var answer = RecordWriter.writeInTransaction(work.session(), write);
            if (answer instanceof WriteResponse.Written) {
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
