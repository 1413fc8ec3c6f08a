package dev.refrain.store;

import java.util.List;
import java.util.Optional;

/**
 * Page of a search for records. Immutable.
 *
 * @param records may be fewer than the limit, even none, although there are more: the scan is bounded
 * @param next cursor of the next page; empty at the end
 */
public record RecordPage(List<RecordView> records, Order order, Optional<String> next) {

    /** Order of the records. */
    public enum Order {
        NEWEST_FIRST,
        /** Physical order of the store, not by time. */
        AS_STORED
    }

    public RecordPage {
        records = List.copyOf(records);
    }
}
