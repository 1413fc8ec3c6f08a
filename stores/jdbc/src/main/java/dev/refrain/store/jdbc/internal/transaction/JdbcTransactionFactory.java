package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;

/** Transactions on the application's own connections. */
public final class JdbcTransactionFactory implements StoreTransactionFactory<Connection> {

    private static final String NO_LIMITS = "";

    private final JdbcStore store;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;
    private final ConnectionHandoverQueue line;

    public JdbcTransactionFactory(
            JdbcStore store, ConnectionHandoverQueue line, SqlScriptLibrary scripts, JdbcTimeouts timeouts) {
        this.store = store;
        this.line = line;
        this.scripts = scripts;
        this.timeouts = timeouts;
    }

    @Override
    public Store store() {
        return store;
    }

    /** The connection is taken only when the key is known, and waited for together with its lock. */
    @Override
    public StoreTransaction<Connection> begin() {
        return new StandaloneTransaction(store, line, scripts.dialect(), timeouts);
    }

    @Override
    public PhaseTransaction<Connection> beginPhase() {
        try {
            return new JdbcPhaseTransaction(WorkTransaction.begin(line.beginDirectly(), scripts.dialect(), timeouts));
        } catch (SQLException e) {
            throw scripts.dialect().failures().translate("Beginning a phase", e, Effect.NONE);
        }
    }

    @Override
    public StoreTransaction<Connection> join(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "The connection is in auto-commit mode, so there is no transaction to"
                                + " take part in: call setAutoCommit(false) first.");
            }
        } catch (SQLException e) {
            throw scripts.dialect().failures().translate("Joining a transaction", e, Effect.NONE);
        }
        return new JoinedTransaction(store, new SqlSession(connection, scripts, NO_LIMITS));
    }
}
