package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.SQLException;

/** Whether a transaction is still the one that was begun, where the database may have taken it back by itself. */
final class StillOpen {

    private static final Question<Boolean> STILL_OPEN = Question.named("still_open");

    private StillOpen() {}

    /** To be asked once, before the first write that must not stand alone. */
    static void require(Session session) {
        if (!session.dialect().takesBackByItself()) {
            return;
        }
        try {
            session.askOne(STILL_OPEN, true, (result, columns) -> {});
        } catch (SQLException gone) {
            throw StoreException.refused(
                    "The work gave a result, but its transaction is over: the database took it back because of a conflict, a trigger or"
                            + " a full disk, or the work ended it. Let the error of such a statement end the work.",
                    Effect.NONE,
                    gone);
        }
    }
}
