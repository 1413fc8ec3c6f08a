package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.api.DurationText;
import java.time.Duration;

/**
 * Timeouts of a store. Immutable.
 *
 * @param lock for a locked row; a batch that waits longer is sent again without it
 * @param statement for one statement; on SQLite also for the write lock
 */
public record JdbcTimeouts(Duration lock, Duration statement) {

    public static final JdbcTimeouts DEFAULT = new JdbcTimeouts(Duration.ofMillis(250), Duration.ofSeconds(5));

    /** Wait of a batch for a locked row: all its other rows wait as well, and the batches behind it. */
    public static final Duration BATCH_LOCK = Duration.ofMillis(5);

    /** Margin for the reply: the database's own timeout fires first, unless no reply arrives at all. */
    private static final Duration FOR_THE_REPLY = Duration.ofSeconds(2);

    public JdbcTimeouts {
        if (lock.toMillis() < 1 || statement.compareTo(lock) < 0) {
            throw new IllegalArgumentException("lockTimeout must be at least 1 ms and statementTimeout not shorter, but"
                    + " they are " + DurationText.of(lock) + " and " + DurationText.of(statement) + ".");
        }
    }

    /** Returns the timeout for a network reply: longer than the database's own. */
    public Duration reply() {
        return statement.plus(FOR_THE_REPLY);
    }
}
