package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

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

    /** @param alike whether it does not matter whose thread took a connection */
    static Line line(DataSource application, boolean alike, Scripts scripts, Timeouts timeouts) {
        return new Line(alike && scripts.dialect().commitsInPipeline(), () -> {
            var own = PooledTransaction.begin(application.getConnection(), scripts.dialect(), timeouts);
            return Line.Passage.fromPool(own, new Session(own.connection(), scripts, NO_LIMITS));
        });
    }

    /** Where everybody begins at once, in a transaction of the source's. */
    static Line line(TransactionSource source, Scripts scripts) {
        return new Line(false, () -> {
            var own = ManagedTransaction.begin(source, scripts.dialect());
            return Line.Passage.fromPool(own, new Session(own.connection(), scripts, NO_LIMITS));
        });
    }

    /** The same on transactions that something else begins and ends. */
    JdbcTransactions from(TransactionSource source) {
        return new JdbcTransactions(store, line(source, scripts), scripts, timeouts);
    }

    @Override
    public Store store() {
        return store;
    }

    /** The connection is taken only when the key is known, and waited for together with its lock. */
    @Override
    public StoreTransaction<Connection> begin() {
        return new OwnTransaction(store, line, scripts.dialect(), timeouts);
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
