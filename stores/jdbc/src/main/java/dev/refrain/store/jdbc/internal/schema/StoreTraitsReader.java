package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;

/** Reads the traits of this database as it is configured now. */
public final class StoreTraitsReader {

    private static final ParameterizedScript<Boolean> DURABLE = ParameterizedScript.script("durable");

    private StoreTraitsReader() {}

    public static StoreTraits of(SqlSession session) throws SQLException {
        var metaData = session.connection().getMetaData();
        boolean durable = session.run(DURABLE, true, c -> c.flag("durable")).getFirst();
        if (!session.dialect().hasConcurrentWriters() && !durable) {
            throw StoreException.permanent(
                    "This SQLite database has no write-ahead log; an in-memory one never has. Use a file on a local"
                            + " disk.",
                    Effect.NONE,
                    new IllegalStateException("journal_mode is not wal"));
        }
        return new StoreTraits(
                metaData.getDatabaseProductName() + " " + metaData.getDatabaseProductVersion(),
                true,
                durable,
                StoreClock.STORE,
                StoreLimits.DEFAULT);
    }
}
