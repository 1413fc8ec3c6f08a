package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.Line.Passage;
import java.sql.Connection;
import java.sql.SQLException;

/** Work in a transaction of the application's database that is ended by us and not by the work. */
final class BegunWork implements AutoCloseable {

    private static final Question<Boolean> BEGIN_WORK = Question.script("begin_work");

    private final Passage passage;
    private final Failures failures;
    private final WorkConnection work;

    private BegunWork(Passage passage, Failures failures) {
        this.passage = passage;
        this.failures = failures;
        this.work = new WorkConnection(passage.own().connection());
        passage.own().exposeConnection(work.proxy());
    }

    /** Where there is one write lock for all, it is taken first, so that the work's own statements do not fail for want of it. */
    static BegunWork begin(Passage begun, Dialect dialect, Timeouts timeouts) throws SQLException {
        return new BegunWork(dialect.hasConcurrentWriters() ? begun : locked(begun, dialect, timeouts), dialect.failures());
    }

    private static Passage locked(Passage begun, Dialect dialect, Timeouts timeouts) throws SQLException {
        var passage = new Passage[] {begun};
        boolean locked = false;
        try {
            WriteLock.retryWithin(timeouts.lock(), dialect.failures(), () -> {
                try {
                    passage[0].session().run(BEGIN_WORK, true, (result, columns) -> {});
                    return true;
                } catch (SQLException e) {
                    passage[0] = passage[0].startOver();
                    throw e;
                }
            });
            locked = true;
            return passage[0];
        } finally {
            if (!locked) {
                passage[0].own().rollbackAndRelease();
            }
        }
    }

    /** What the work gets. */
    Connection connection() {
        return work.proxy();
    }

    Session session() {
        return passage.session();
    }

    boolean lostRace(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && failures.isContention(sql)) {
                return true;
            }
        }
        return false;
    }

    /** Refuses to go on with a transaction that can only be rolled back, or was. */
    void requireCommittable() {
        if (passage.own().doomed()) {
            throw StoreException.permanent(
                    "The work gave a result, but something that took part in its transaction had marked it to be rolled back.",
                    Effect.NONE,
                    null);
        }
        StillOpen.require(session(), StillOpen.OWN);
    }

    /** @param doing what failed, if it fails */
    void commit(String doing) {
        try {
            passage.own().commit();
        } catch (SQLException e) {
            throw failures.translate(doing, e, Effect.UNKNOWN);
        }
    }

    /** A failure before the commit: nothing is left of it. */
    StoreException translate(String doing, SQLException error) {
        return failures.translate(doing, error, Effect.NONE);
    }

    @Override
    public void close() {
        try {
            work.invalidate();
            passage.session().close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        passage.own().rollbackAndRelease();
    }
}
