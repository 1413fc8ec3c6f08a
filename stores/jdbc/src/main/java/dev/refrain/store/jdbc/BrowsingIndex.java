package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The index by which records are found by their id and listed by time. It is no part of the schema, because every claim would pay for
 * it; those who browse make it, see {@code docs/decisions/0011-browsing.md}.
 *
 * {@snippet :
 * BrowsingIndex.make(dataSource, "");
 * }
 */
public final class BrowsingIndex {

    public static final String NAME = "refrain_record_claimed_at";

    /** What there is of it, and whether to make it takes no time. */
    public record IndexStatus(boolean present, boolean whole, boolean small) {}

    private static final ParameterizedScript<Boolean> BROWSABLE = ParameterizedScript.script("browsable");

    private static final ParameterizedScript<Boolean> INDEX = ParameterizedScript.script("browsing_index");

    private BrowsingIndex() {}

    /**
     * Makes it if it is not there: on PostgreSQL beside the traffic, however long that takes; on SQLite while the traffic waits.
     *
     * @param schema where the tables are; empty to leave it to the connection
     * @throws StoreException if the database cannot be reached or refuses, or if a broken index is in the way
     */
    public static void create(DataSource source, String schema) {
        try (var connection = source.getConnection()) {
            var scripts = new SqlScriptLibrary(DialectRegistry.of(connection), schema);
            try (var session = new SqlSession(connection, scripts, "")) {
                create(session);
            } catch (SQLException e) {
                throw scripts.dialect().failures().translate("Making the index " + NAME, e, Effect.UNKNOWN);
            }
        } catch (SQLException e) {
            throw StoreException.unavailable("The database gives no connection.", Effect.NONE, e);
        }
    }

    private static void create(SqlSession session) throws SQLException {
        session.connection().setAutoCommit(true);
        var found = status(session);
        if (found.present() && !found.whole()) {
            throw StoreException.permanent(
                    "The index " + NAME
                            + " is there and not whole: someone is making it right now, or was broken off; then"
                            + " DROP INDEX " + NAME + " and make it again.",
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
     * At a start: only where it takes no time. A large table is left to whoever operates it, and so is one that is busy: claims would
     * wait behind us while we wait for them.
     */
    static void createIfSmall(SqlSession session) throws SQLException {
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
        return session.run(BROWSABLE, true, c -> new IndexStatus(c.flag("present"), c.flag("whole"), c.flag("small")))
                .getFirst();
    }
}
