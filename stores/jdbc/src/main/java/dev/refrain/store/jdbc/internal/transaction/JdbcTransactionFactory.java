package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.wakeup.WaiterWakeup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Creates transactions on the application's own connections. */
public final class JdbcTransactionFactory implements StoreTransactionFactory<Connection> {

    private static final String NO_LIMITS = "";
    private static final TransactionLimits NO_LIMITS_GIVEN =
            new TransactionLimits(Duration.ofSeconds(30), Duration.ofMinutes(10));

    private final Store store;
    private final CommittedRecords committed;
    private final OperationNameIds operations;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final ConnectionWaitQueue queue;
    private final WaiterWakeup wakeups;
    private final CallWatchdog watchdog;

    public JdbcTransactionFactory(
            Store store,
            CommittedRecords committed,
            OperationNameIds operations,
            ConnectionWaitQueue queue,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts,
            WaiterWakeup wakeups,
            CallWatchdog watchdog) {
        this.wakeups = wakeups;
        this.watchdog = watchdog;
        this.store = store;
        this.committed = committed;
        this.operations = operations;
        this.queue = queue;
        this.scripts = scripts;
        this.timeouts = timeouts;
    }

    @Override
    public Store store() {
        return store;
    }

    /** Begins a transaction. Its connection is borrowed only once the key is known, together with the key's lock. */
    @Override
    public StoreTransaction<Connection> begin() {
        return begin(NO_LIMITS_GIVEN);
    }

    @Override
    public StoreTransaction<Connection> begin(TransactionLimits limits) {
        return new StandaloneTransaction(
                committed, operations, queue, scripts.dialect(), timeouts, wakeups, watchdog, limits);
    }

    @Override
    public boolean hasCapacity(String scope, Duration patience) {
        return queue.hasCapacity(scope, patience);
    }

    @Override
    public PhaseTransaction<Connection> beginPhase() {
        return beginPhase(queue::aside, NO_LIMITS_GIVEN);
    }

    @Override
    public PhaseTransaction<Connection> beginPhase(String scope, boolean runHasBegun, TransactionLimits limits) {
        return beginPhase(() -> queue.takeForPhase(scope, runHasBegun, limits.patience()), limits);
    }

    private PhaseTransaction<Connection> beginPhase(
            ConnectionWaitQueue.TransactionStarter starter, TransactionLimits limits) {
        try {
            return new JdbcPhaseTransaction(
                    GuardedWorkTransaction.begin(starter, scripts.dialect(), timeouts, watchdog, limits), wakeups);
        } catch (SQLException e) {
            throw scripts.dialect().failures().noConnection("Beginning a phase", e);
        }
    }

    @Override
    public StoreTransaction<Connection> join(Connection connection) {
        return join(connection, NO_LIMITS_GIVEN);
    }

    @Override
    public StoreTransaction<Connection> join(Connection connection, TransactionLimits limits) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "The connection is in auto-commit mode, so there is no transaction to"
                                + " join. Call setAutoCommit(false) first.");
            }
        } catch (SQLException e) {
            throw scripts.dialect().failures().translate("Joining a transaction", e, Effect.NONE);
        }
        return new JoinedTransaction(
                committed, operations, new SqlSession(connection, scripts, NO_LIMITS), watchdog, limits);
    }
}
