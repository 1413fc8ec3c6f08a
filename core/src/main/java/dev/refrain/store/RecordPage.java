package dev.refrain.store;

import java.util.List;
import java.util.Optional;

/**
 * What one walk found.
 *
 * @param records maybe fewer than were asked for, even none, although there are more: the walk has a bounded length
 * @param next from where to go on; empty if the end was reached
 */
public record RecordPage(List<RecordView> records, Order order, Optional<String> next) {

    /** How the records follow each other. */
    public enum Order {
        NEWEST_FIRST,
        /** As they lie in the store: not by time. */
        AS_STORED
    }

    public RecordPage {
        records = List.copyOf(records);
    }
}
