package dev.refrain.store.outbox;

import java.util.List;
import java.util.Optional;

/**
 * What one walk found.
 *
 * @param rows maybe fewer than were asked for, even none, although there are more: the walk has a bounded length
 * @param next from where to go on; empty if the end was reached
 */
public record OutboxPage<T>(List<T> rows, Optional<String> next) {

    /** The longest page. */
    public static final int MOST = 1_000;

    public OutboxPage {
        rows = List.copyOf(rows);
    }

    static void requireLength(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("A page holds 1 to " + MOST + " messages, but was asked for " + limit);
        }
    }
}
