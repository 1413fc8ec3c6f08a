package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;

/** Erases records, and at last what the log of the database still holds of them. */
public record JdbcRecordEraser(DedicatedConnection maintenance) implements RecordEraser {

    private static final System.Logger LOG = System.getLogger(JdbcRecordEraser.class.getName());
    private static final int PURGE_TRIES = 20;

    @Override
    public ErasureResult erase(ErasureRequest order) {
        var result = maintenance.write("Erasing records", s -> OperatorStatements.erase(s, order));
        if (!result.hasMore()) {
            purgeLog();
        }
        return result;
    }

    private void purgeLog() {
        for (int tries = 0; tries < PURGE_TRIES; tries++) {
            if (!maintenance.write("Removing erased bytes from the log", OperatorStatements::purgeLog)) {
                return;
            }
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "Erased bytes are still in the -wal file of the SQLite database, because another connection was reading. They are"
                        + " overwritten by its next checkpoint; to have that now, erase again.");
    }
}
