package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;

/** Whether a transaction is still the one that was begun, where the database may have taken it back by itself. */
final class OpenTransactionCheck {

    /** The number of the one run that a transaction of our own is for. */
    static final long OWN = 0;

    private OpenTransactionCheck() {}

    /**
     * To be asked once, before the first write that must not stand alone.
     *
     * @param savepoint the number of the run's own: another's may have been set since
     */
    static void require(SqlSession session, long savepoint) {
        if (!session.dialect().mayRollBackOnError()) {
            return;
        }
        try {
            session.run(ParameterizedScript.<Boolean>script("still_open#" + savepoint), true, (result, columns) -> {});
        } catch (SQLException gone) {
            throw StoreException.permanent(
                    "The work gave a result, but its transaction is over: the database took it back because of a conflict, a trigger or"
                            + " a full disk, or the work ended it. Let the error of such a statement end the work.",
                    Effect.NONE,
                    gone);
        }
    }
}
