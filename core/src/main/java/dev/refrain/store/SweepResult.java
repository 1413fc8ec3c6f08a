package dev.refrain.store;

import java.util.List;

/**
 * Result of one {@link Store#sweep}.
 *
 * @param escalated the records that were moved to attention, or the first {@link #MAX_LISTED} of them
 */
public record SweepResult(int released, int toAttention, boolean more, List<EscalatedRecord> escalated) {

    /** How many records a result lists at most: each of them is logged. */
    public static final int MAX_LISTED = 20;

    public SweepResult {
        escalated = List.copyOf(escalated);
    }

    /** Creates the result of a store that lists no records: the log says only how many there are. */
    public SweepResult(int released, int toAttention, boolean more) {
        this(released, toAttention, more, List.of());
    }
}
