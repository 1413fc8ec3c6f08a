package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.schema.TableVersion;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Version of Refrain's tables in one database, and the oldest code that may use them.
 *
 * {@snippet :
 * var tables = SchemaVersion.of(dataSource, "");
 * boolean undoable = tables.oldestReader() <= versionOfTheOldRelease;
 * }
 *
 * <p>Immutable.
 *
 * @param version of the tables; 0 where there are none
 * @param oldestReader the oldest schema version whose code may read and write them
 */
public record SchemaVersion(int version, int oldestReader) {

    /**
     * Reads the version of the tables.
     *
     * @param schema the schema of the tables; empty for the connection's own
     * @throws StoreException if the database is unreachable or not supported
     */
    public static SchemaVersion of(DataSource source, String schema) {
        try (var connection = source.getConnection()) {
            var scripts = new SqlScriptLibrary(DialectRegistry.of(connection), schema);
            try (var session = new SqlSession(connection, scripts, "")) {
                var found = TableVersion.read(session);
                return new SchemaVersion(found.version(), found.oldestReader());
            } catch (SQLException e) {
                throw scripts.dialect().failures().translate("Reading the version of the tables", e, Effect.NONE);
            }
        } catch (SQLException e) {
            throw StoreException.unavailable("The database gives no connection.", Effect.NONE, e);
        }
    }
}
