package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Transaction of one phase in the application's database. */
record JdbcPhaseTransaction(GuardedWorkTransaction work, WaiterWakeup wakeups) implements PhaseTransaction<Connection> {

    @Override
    public Connection connection() {
        return work.connection();
    }

    @Override
    public boolean isRetryableConflict(Throwable failure) {
        return work.lostRace(failure) || work.lostConnection(failure);
    }

    @Override
    public RecordWriteResponse writeAndCommit(RecordWrite write) {
        var answer = written(write);
        if (answer instanceof RecordWriteResponse.Written) {
            work.commit("Committing a phase");
            if (write instanceof RecordWrite.Complete) {
                wakeups.wakeWaiters(List.of(write.claim().lookup()));
            }
        }
        return answer;
    }

    private RecordWriteResponse written(RecordWrite write) {
        try {
            return work.run(() -> {
                work.requireCommittable();
                return RecordWriter.writeInTransaction(work.session(), write);
            });
        } catch (SQLException e) {
            throw work.translate("Writing a phase's end", e);
        }
    }

    @Override
    public void close() {
        work.close();
    }
}
