package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTraits;
import java.sql.SQLException;

/** What this database promises as it is configured now. */
final class Traits {

    private static final Question<Boolean> DURABLE = Question.script("durable");

    private Traits() {}

    static StoreTraits of(Session session) throws SQLException {
        var metaData = session.connection().getMetaData();
        boolean durable = session.run(DURABLE, true, c -> c.flag("durable")).getFirst();
        if (!session.dialect().hasConcurrentWriters() && !durable) {
            throw StoreException.permanent(
                    "This SQLite database has no write-ahead log, as one in memory never has: give it a file on a local"
                            + " disk.",
                    Effect.NONE,
                    new IllegalStateException("journal_mode is not wal"));
        }
        return new StoreTraits(
                metaData.getDatabaseProductName() + " " + metaData.getDatabaseProductVersion(), true, durable);
    }
}
