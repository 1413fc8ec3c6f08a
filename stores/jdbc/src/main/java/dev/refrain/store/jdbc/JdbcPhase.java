package dev.refrain.store.jdbc;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.jdbc.Line.Passage;
import java.sql.Connection;
import java.sql.SQLException;

/** One phase in a transaction of the application's database. */
final class JdbcPhase implements PhaseTransaction<Connection> {

    private static final Question<Boolean> TAKE_LOCK = Question.named("take_lock");

    private final Passage passage;
    private final Failures failures;
    private final WorkConnection work;

    private JdbcPhase(Passage passage, Failures failures) {
        this.passage = passage;
        this.failures = failures;
        this.work = new WorkConnection(passage.own().connection());
        passage.own().guardWith(work.given());
    }

    /** Where there is one write lock for all, it is taken first, so that the phase's own statements do not fail for want of it. */
    static JdbcPhase on(Passage begun, Dialect dialect, Timeouts timeouts) throws SQLException {
        return new JdbcPhase(dialect.manyWriters() ? begun : locked(begun, dialect, timeouts), dialect.failures());
    }

    private static Passage locked(Passage begun, Dialect dialect, Timeouts timeouts) throws SQLException {
        var passage = new Passage[] {begun};
        boolean locked = false;
        try {
            WriteLock.within(timeouts.lock(), dialect.failures(), () -> {
                try {
                    passage[0].session().askOne(TAKE_LOCK, true, (result, columns) -> {});
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
                passage[0].own().end();
            }
        }
    }

    @Override
    public Connection connection() {
        return work.given();
    }

    @Override
    public boolean lostRace(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && failures.isContention(sql)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public WriteAnswer writeAndCommit(Write write) {
        if (passage.own().doomed()) {
            throw StoreException.refused(
                    "The phase gave a result, but something that took part in its transaction had marked it to be rolled back.",
                    Effect.NONE,
                    null);
        }
        try {
            var answer = Writing.within(passage.session(), write);
            if (answer instanceof WriteAnswer.Written) {
                commit();
            }
            return answer;
        } catch (SQLException e) {
            throw failures.translate("Writing a phase's end", e, Effect.NONE);
        }
    }

    private void commit() {
        try {
            passage.own().commit();
        } catch (SQLException e) {
            throw failures.translate("Committing a phase", e, Effect.UNKNOWN);
        }
    }

    @Override
    public void close() {
        try {
            work.end();
            passage.session().close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        passage.own().end();
    }
}
