package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.record.RecordWriter;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Transaction of one phase in the application's database. */
record JdbcPhaseTransaction(
        GuardedWorkTransaction work, WaiterWakeup wakeups, CallWatchdog watchdog, TransactionLimits limits)
        implements PhaseTransaction<Connection> {

    @Override
    public Connection connection() {
        return work.connection();
    }

    @Override
    public boolean isRetryableConflict(Throwable failure) {
        return work.lostRace(failure);
    }

    @Override
    public RecordWriteResponse writeAndCommit(RecordWrite write) {
        try {
            var answer = written(write);
            if (answer instanceof RecordWriteResponse.Written) {
                try (var call = work.watchEnd(watchdog, work.commitLimit(limits))) {
                    work.commit("Committing a phase", () -> call.shortenTo(limits.patience()));
                }
                if (write instanceof RecordWrite.Complete) {
                    wakeups.wakeWaiters(List.of(write.claim().lookup()));
                }
            }
            return answer;
        } catch (SQLException e) {
            throw work.translate("Writing a phase's end", e);
        }
    }

    private RecordWriteResponse written(RecordWrite write) throws SQLException {
        try (var call = watchdog.start(limits.patience(), work.session().connection())) {
            work.requireCommittable();
            return RecordWriter.writeInTransaction(work.session(), write);
        }
    }

    @Override
    public void close() {
        try (var call = work.watchEnd(watchdog, limits.patience())) {
            work.rollback();
        }
        work.release();
    }
}
