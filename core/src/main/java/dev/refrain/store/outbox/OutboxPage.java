package dev.refrain.store.outbox;

import java.util.List;
import java.util.Optional;

/**
 * Page of a search. Immutable.
 *
 * @param rows may have fewer rows than the limit, even none, although there are more: the scan is bounded
 * @param next cursor of the next page; empty at the end
 */
public record OutboxPage<T>(List<T> rows, Optional<String> next) {

    /** Maximum page size. */
    public static final int MOST = 1_000;

    public OutboxPage {
        rows = List.copyOf(rows);
    }

    static void requireLength(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("A page holds 1 to " + MOST + " messages, but limit is " + limit);
        }
    }
}
