package dev.refrain.store;

import dev.refrain.api.DurationText;
import java.time.Duration;

/**
 * Longest waits of one transaction. Immutable.
 *
 * @param patience for each call to the store: for a connection and the key's lock together, for a commit, for a rollback
 * @param maxRun for the work. A commit in which work is still done, as by listeners of a transaction manager or by an object mapper that
 *     flushes, may take what is left of it, if that is longer than the patience
 */
public record TransactionLimits(Duration patience, Duration maxRun) {

    public TransactionLimits {
        requirePositive("patience", patience);
        requirePositive("maxRun", maxRun);
    }

    private static void requirePositive(String name, Duration limit) {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive, but is " + DurationText.of(limit) + ".");
        }
    }
}
