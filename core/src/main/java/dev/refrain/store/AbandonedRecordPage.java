package dev.refrain.store;

import java.util.List;

/**
 * Result of {@link CompletionQueue#pollAbandoned}: the records found, how many moved to attention and which, and whether there may be more.
 *
 * @param escalated the records that were moved to attention
 */
public record AbandonedRecordPage(
        List<AbandonedRecord> abandoned, int toAttention, boolean more, List<EscalatedRecord> escalated) {

    public AbandonedRecordPage {
        escalated = List.copyOf(escalated);
    }

    /** Creates the result of a store that lists no records moved to attention: the log says only how many there are. */
    public AbandonedRecordPage(List<AbandonedRecord> abandoned, int toAttention, boolean more) {
        this(abandoned, toAttention, more, List.of());
    }
}
