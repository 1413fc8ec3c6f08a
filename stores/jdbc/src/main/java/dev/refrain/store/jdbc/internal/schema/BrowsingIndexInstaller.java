package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;

/** Creates the index for browsing, and reads its status. */
public final class BrowsingIndexInstaller {

    public static final String NAME = "refrain_record_claimed_at";

    /**
     * State of the index in one database.
     *
     * @param present whether an index of its name exists
     * @param whole whether it is complete, so that statements may rely on it
     * @param small whether its table is so small that creating it, or reading all of it once, is instant
     */
    public record IndexStatus(boolean present, boolean whole, boolean small) {}

    private static final ParameterizedScript<Boolean> STATUS = ParameterizedScript.script("browsable");

    private static final ParameterizedScript<Boolean> INDEX = ParameterizedScript.script("browsing_index");

    private BrowsingIndexInstaller() {}

    /**
     * Creates the index if it is missing: on PostgreSQL concurrently with traffic, on SQLite while traffic waits.
     *
     * @throws StoreException if an incomplete index exists
     */
    public static void create(SqlSession session) throws SQLException {
        session.connection().setAutoCommit(true);
        var found = status(session);
        if (found.present() && !found.whole()) {
            throw StoreException.permanent(
                    "Cannot create the index " + NAME
                            + ": an incomplete one exists. Another process is creating it now, or was interrupted; in that case run"
                            + " DROP INDEX " + NAME + " and create it again.",
                    Effect.NONE,
                    new IllegalStateException("invalid index"));
        }
        if (!found.present()) {
            session.execute(session.scripts()
                    .named("browsing_index_beside")
                    .statements()
                    .getFirst()
                    .sql());
        }
    }

    /**
     * Creates the index at startup, only if that is instant. A large table is left to its operator, and so is a busy one: claims
     * would queue behind a statement that waits for them.
     */
    public static void createIfSmall(SqlSession session) throws SQLException {
        var found = status(session);
        if (!found.present() && found.small()) {
            try {
                session.run(INDEX, true, (result, columns) -> {});
            } catch (SQLException e) {
                if (!session.dialect().failures().isContention(e)) {
                    throw e;
                }
            }
        }
    }

    public static IndexStatus status(SqlSession session) throws SQLException {
        return session.run(STATUS, true, c -> new IndexStatus(c.flag("present"), c.flag("whole"), c.flag("small")))
                .getFirst();
    }
}
