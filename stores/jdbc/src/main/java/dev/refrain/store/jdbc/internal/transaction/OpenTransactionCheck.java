package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;

/** Checks that a transaction is still the one that was begun, where the database may have rolled it back by itself. */
final class OpenTransactionCheck {

    /** Number of the single run of a transaction of our own. */
    static final long OWN = 0;

    private OpenTransactionCheck() {}

    /** Sets the mark that {@link #require} checks; for a transaction of our own the script that begins it does this. */
    static void mark(SqlSession session, long number) throws SQLException {
        if (session.dialect().mayRollBackOnError()) {
            session.execute("SAVEPOINT refrain_open_" + number);
        }
    }

    /**
     * Checks the mark once, before the first write that must not be committed alone. Fails if the database has rolled the transaction
     * back by itself, as SQLite does after ON CONFLICT ROLLBACK, RAISE(ROLLBACK) and a full disk: work that caught the error does not know,
     * and our next write would commit alone. A connection that is lost is not that: a retry may succeed.
     *
     * @param number number of the run, since another run may have set its savepoint meanwhile
     */
    static void require(SqlSession session, long number) {
        if (!session.dialect().mayRollBackOnError()) {
            return;
        }
        try {
            session.execute("RELEASE SAVEPOINT refrain_open_" + number);
        } catch (SQLException gone) {
            if (session.dialect().failures().isConnectionLost(gone)) {
                throw session.dialect().failures().translate("Checking the transaction", gone, Effect.NONE);
            }
            throw StoreException.permanent(
                    "The work returned a result, but its transaction is over: the database rolled it back because of a conflict, a trigger or"
                            + " a full disk, or the work ended it. Let the error of such a statement end the work.",
                    Effect.NONE,
                    gone);
        }
    }
}
