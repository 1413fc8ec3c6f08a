package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;

/**
 * Notes of how far the database's clock has come, by which the next look sees that it was set back: ages of records and messages grow by as
 * much ({@code set_back_since}), and what was put off while it was ahead is due as if it had not been.
 */
public final class StoreClockNotes {

    private static final ParameterizedScript<Boolean> SET_BACK = ParameterizedScript.script("clock_set_back");
    private static final ParameterizedScript<Boolean> MEND = ParameterizedScript.script("clock_mend");
    private static final ParameterizedScript<Boolean> SEEN = ParameterizedScript.script("clock_seen");

    private StoreClockNotes() {}

    /** Looks at the clock, in a transaction of its own. */
    public static void take(SqlSession session) throws SQLException {
        session.inTransaction(() -> {
            var unused = noteSetBack(session);
            return session.run(SEEN, true, row -> true);
        });
    }

    /**
     * Notes that the clock was set back, if it was; otherwise writes nothing. Needs no transaction: if only its first step is written, the next
     * look notes the same once more, and ages are overstated.
     */
    static boolean noteSetBack(SqlSession session) throws SQLException {
        boolean setBack =
                !session.run(SET_BACK, true, row -> row.number("noted")).isEmpty();
        if (setBack) {
            session.run(MEND, true, row -> true);
        }
        return setBack;
    }
}
