package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;

/**
 * Version of the tables in one database, and the oldest code that may use them.
 *
 * @param version of the tables; {@link #MISSING} where there are none
 * @param oldestReader the oldest schema version whose code may read and write these tables; as large as {@code version} where
 *     they do not say
 */
public record TableVersion(int version, int oldestReader) {

    static final int MISSING = 0;

    /** First version whose tables state their oldest reader. */
    private static final int FIRST_WITH_OLDEST_READER = 5;

    private static final ParameterizedScript<Boolean> PRESENT = ParameterizedScript.script("present");
    private static final ParameterizedScript<Boolean> VERSION = ParameterizedScript.script("version");
    private static final ParameterizedScript<Boolean> OLDEST_READER = ParameterizedScript.script("oldest_reader");

    public static TableVersion read(SqlSession session) throws SQLException {
        int version = version(session);
        if (version < FIRST_WITH_OLDEST_READER) {
            return new TableVersion(version, version);
        }
        var oldest = session.run(OLDEST_READER, true, c -> c.numberIfAny("oldest_reader"))
                .getFirst();
        return new TableVersion(version, (int) oldest.orElse(version));
    }

    private static int version(SqlSession session) throws SQLException {
        boolean present = session.run(PRESENT, true, c -> c.flag("present")).getFirst();
        if (!present) {
            return MISSING;
        }
        int found = session.run(VERSION, true, c -> (int) c.number("version")).stream()
                .findFirst()
                .orElse(MISSING);
        if (found == MISSING && session.dialect().commitsSchemaChanges()) {
            // Broken off in the middle, or under way in another process: it is made whole by making all of it again.
            return MISSING;
        }
        if (found <= MISSING) {
            throw StoreException.permanent(
                    "The table refrain_meta " + (found == MISSING ? "has no version" : "has version " + found)
                            + ", which Refrain never writes. Restore its row 'schema' from a backup.",
                    Effect.NONE,
                    new IllegalStateException("schema version"));
        }
        return found;
    }

    boolean isMissing() {
        return version == MISSING;
    }

    /** Returns true if code that knows the tables up to {@code known} may read and write these. */
    boolean isUsableBy(int known) {
        return version == known || (version > known && oldestReader <= known);
    }
}
