package dev.refrain.store.jdbc.internal.sql;

import java.time.Duration;

/**
 * How long a lane waits.
 *
 * @param lock for a row that someone else holds; a batch that waits longer is split until the row is alone
 * @param statement for one statement; on SQLite also for the write lock
 */
public record JdbcTimeouts(Duration lock, Duration statement) {

    public static final JdbcTimeouts DEFAULT = new JdbcTimeouts(Duration.ofMillis(250), Duration.ofSeconds(5));

    /** The database gives up first; only a reply that does not come at all is waited for this long. */
    private static final Duration FOR_THE_REPLY = Duration.ofSeconds(2);

    public JdbcTimeouts {
        if (lock.toMillis() < 1 || statement.compareTo(lock) < 0) {
            throw new IllegalArgumentException("lockTimeout must be at least 1 ms and statementTimeout not shorter, but"
                    + " they are " + lock + " and " + statement + ".");
        }
    }

    /** For a reply from the network: more than the database itself takes before it gives up. */
    public Duration reply() {
        return statement.plus(FOR_THE_REPLY);
    }
}
