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

    private static final ParameterizedScript<Boolean> CLOCK_MOVES = ParameterizedScript.script("clock_moves");

    private static final ParameterizedScript<Boolean> PACKET = ParameterizedScript.script("packet");

    private static final long SMALLEST_PACKET = 4L << 20;
    private static final long RESERVED = 64L << 10;

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
        if (session.dialect().bindsJson()) {
            requireMovingClock(session);
        }
        return new StoreTraits(
                metaData.getDatabaseProductName() + " " + metaData.getDatabaseProductVersion(),
                true,
                durable,
                StoreClock.STORE,
                session.dialect().bindsJson() ? limits(session) : StoreLimits.DEFAULT);
    }

    /** With a clock that stands still in a statement, a lease would begin before a wait that the statement had, and end too early. */
    private static void requireMovingClock(SqlSession session) throws SQLException {
        if (!session.run(CLOCK_MOVES, true, c -> c.flag("moves")).getFirst()) {
            throw StoreException.permanent(
                    "The server's SYSDATE() stands still within a statement, so leases would end too early: start the server"
                            + " without --sysdate-is-now.",
                    Effect.NONE,
                    null);
        }
    }

    /** A statement is one packet, with the payload in it; each of its bytes may be escaped by another one. */
    private static StoreLimits limits(SqlSession session) throws SQLException {
        long packet = session.run(PACKET, true, c -> c.number("bytes")).getFirst();
        if (packet < SMALLEST_PACKET) {
            throw StoreException.permanent(
                    "The server's max_allowed_packet is " + packet + " bytes, too few for a batch: set it to "
                            + SMALLEST_PACKET + " (4M) or more.",
                    Effect.NONE,
                    null);
        }
        int payload = (int) Math.min(StoreLimits.DEFAULT.payloadBytes(), (packet - RESERVED) / 2);
        return new StoreLimits(StoreLimits.DEFAULT.batchRows(), StoreLimits.DEFAULT.concurrentBatches(), payload);
    }
}
