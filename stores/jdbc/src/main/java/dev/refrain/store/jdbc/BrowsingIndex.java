package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.BrowsingIndexInstaller;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Optional index for finding records by id and listing them by time. Not a part of the schema, because every claim would pay for
 * it; create it if people browse records, see {@code docs/decisions/0011-browsing.md}.
 * {@snippet :
 * BrowsingIndex.create(dataSource, "");
 * }
 */
public final class BrowsingIndex {

    public static final String NAME = BrowsingIndexInstaller.NAME;

    private BrowsingIndex() {}

    /**
     * Creates the index if it is missing: on PostgreSQL concurrently with traffic, however long that takes; on SQLite while
     * traffic waits.
     *
     * @param schema the schema of the tables; empty for the connection's own
     * @throws StoreException if the database is unreachable or rejects it, or if an incomplete index exists
     */
    public static void create(DataSource source, String schema) {
        try (var connection = source.getConnection()) {
            var scripts = new SqlScriptLibrary(DialectRegistry.of(connection), schema);
            try (var session = new SqlSession(connection, scripts, "")) {
                BrowsingIndexInstaller.create(session);
            } catch (SQLException e) {
                throw scripts.dialect().failures().translate("Creating the index " + NAME, e, Effect.UNKNOWN);
            }
        } catch (SQLException e) {
            throw StoreException.unavailable("The database gives no connection.", Effect.NONE, e);
        }
    }
}
