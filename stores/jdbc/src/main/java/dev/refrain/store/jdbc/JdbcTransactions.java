package dev.refrain.store.jdbc;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.Transactions;
import dev.refrain.store.Unfinished;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Transactions on the application's own connections. */
final class JdbcTransactions implements Transactions<Connection> {

    private static final String NO_LIMITS = "";

    private final JdbcStore store;
    private final Scripts scripts;
    private final Timeouts timeouts;
    private final Line line;

    JdbcTransactions(JdbcStore store, Line line, Scripts scripts, Timeouts timeouts) {
        this.store = store;
        this.line = line;
        this.scripts = scripts;
        this.timeouts = timeouts;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public List<Unfinished> listUnfinished(String namespace, Duration longerThan, int limit) {
        return store.unfinished(namespace, longerThan, limit);
    }

    /** The connection is taken only when the key is known, and waited for together with its lock. */
    @Override
    public StoreTransaction<Connection> begin() {
        return new OwnTransaction(store, line, scripts.dialect(), timeouts);
    }

    @Override
    public PhaseTransaction<Connection> beginPhase() {
        try {
            return new JdbcPhase(BegunWork.begin(line.beginDirectly(), scripts.dialect(), timeouts));
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
        return new JoinedTransaction(store, new Session(connection, scripts, NO_LIMITS));
    }
}
