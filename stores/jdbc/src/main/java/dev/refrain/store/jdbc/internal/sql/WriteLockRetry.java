package dev.refrain.store.jdbc.internal.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a database's single write lock with the thread parked.
 *
 * <p>SQLite can wait by itself, but in native code, where a virtual thread pins its carrier: a few such waiters leave none for
 * the holder of the lock, and all of them time out. So SQLite waits only briefly, and the rest of the wait happens here.
 */
public final class WriteLockRetry {

    /** Wait inside SQLite: enough for a writer that is just finishing. */
    public static final Duration NATIVE_WAIT = Duration.ofMillis(5);

    private static final long FIRST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(20).toNanos();

    private WriteLockRetry() {}

    /** Repeats an action that failed because of contention, and so had no effect, until the time is up. */
    public static <T> T retryWithin(Duration time, SqlErrorTranslator failures, SqlSession.SqlAction<T> body)
            throws SQLException {
        long deadline = System.nanoTime() + time.toNanos();
        long pause = FIRST_PAUSE;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return body.run();
                } catch (SQLException e) {
                    if (!failures.isContention(e) || System.nanoTime() - deadline >= 0) {
                        throw e;
                    }
                }
                LockSupport.parkNanos(pause);
                // An interrupted thread cannot park: it would spin.
                interrupted |= Thread.interrupted();
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
