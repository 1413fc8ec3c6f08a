package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Transactions on the application's own connections. */
final class JdbcTransactions implements Transactions<Connection> {

    private final JdbcStore store;
    private final DataSource application;
    private final Scripts scripts;
    private final Timeouts timeouts;

    JdbcTransactions(JdbcStore store, DataSource application, Scripts scripts, Timeouts timeouts) {
        this.store = store;
        this.application = application;
        this.scripts = scripts;
        this.timeouts = timeouts;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public StoreTransaction<Connection> begin() {
        Ownership own;
        try {
            own = Ownership.begin(application.getConnection(), scripts.dialect(), timeouts);
        } catch (SQLException e) {
            throw StoreException.unavailable("Beginning a transaction: no connection.", Effect.NONE, e);
        }
        return new JdbcTransaction(store, new Session(own.connection(), scripts, ""), own, timeouts);
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
        return new JdbcTransaction(store, new Session(connection, scripts, ""), Ownership.none(connection), timeouts);
    }
}
